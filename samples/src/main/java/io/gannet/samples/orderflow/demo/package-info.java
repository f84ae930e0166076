/**
 * {@code gannet demo orders}.
 */
package io.gannet.samples.orderflow.demo;
