/** A driver on a terminal, live. */
package io.gannet.monitor.top;
