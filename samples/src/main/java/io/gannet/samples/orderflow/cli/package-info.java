/**
 * Order flow on the command line: {@code gannet orders engine}, {@code gateway}, {@code clients}, {@code snapshot}.
 */
package io.gannet.samples.orderflow.cli;
