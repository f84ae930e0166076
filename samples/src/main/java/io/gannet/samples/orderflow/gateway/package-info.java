/**
 * The gateway: sessions of clients on one side, the engine on the other.
 */
package io.gannet.samples.orderflow.gateway;
