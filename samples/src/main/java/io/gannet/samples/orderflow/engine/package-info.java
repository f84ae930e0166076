/**
 * The engine as a process: stages on a Disruptor, from the gateways' stream to reports and market data.
 */
package io.gannet.samples.orderflow.engine;
