/**
 * The feed on the command line: {@code gannet feed publish} and {@code gannet feed subscribe}, and what they tell a
 * parent process.
 */
package io.gannet.samples.marketdata.cli;
