/**
 * Drawing of charts as SVG, for pages and documents.
 */
package io.gannet.perf.chart;
