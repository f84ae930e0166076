/**
 * {@code gannet demo}: driver, publisher and two subscribers as processes of their own, and one screen for all.
 */
package io.gannet.samples.marketdata.demo;
