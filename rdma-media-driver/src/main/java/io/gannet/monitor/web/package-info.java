/** Metrics, health and a page that shows them, over HTTP. */
package io.gannet.monitor.web;
