/**
 * {@code gannet perf orders}: clients, gateway and engine over Gannet and over Aeron.
 */
package io.gannet.perf.orders;
