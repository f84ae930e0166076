/** What a look at a driver showed, as OpenMetrics text. */
package io.gannet.monitor.metrics;
