/**
 * The matching engine as a state machine: commands in, reports and market events out; no clock, no thread, no file.
 */
package io.gannet.samples.orderflow.matching;
