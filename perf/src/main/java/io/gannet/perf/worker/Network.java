package io.gannet.perf.worker;

/**
 * Where a worker's side of a network scenario is, and the other side.
 *
 * @param gannetHere  address of this side's Gannet driver.
 * @param gannetThere address of the other side's.
 * @param aeronHere   endpoint, host:port, of this side's Aeron subscriptions.
 * @param aeronThere  endpoint of the other side's.
 */
public record Network(String gannetHere, String gannetThere, String aeronHere, String aeronThere)
{
}
