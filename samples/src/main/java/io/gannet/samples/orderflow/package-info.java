/**
 * Order flow: clients, a gateway, a matching engine and its market data, each a process. See docs/order-flow.md.
 */
package io.gannet.samples.orderflow;
