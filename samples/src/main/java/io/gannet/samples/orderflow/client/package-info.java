/**
 * The client's side: sessions over one connection to a gateway.
 */
package io.gannet.samples.orderflow.client;
