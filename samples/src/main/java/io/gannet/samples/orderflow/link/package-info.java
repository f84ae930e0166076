/**
 * How the processes of order flow talk: streams, and logs of what was sent.
 */
package io.gannet.samples.orderflow.link;
