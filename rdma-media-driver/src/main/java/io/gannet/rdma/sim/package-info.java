/**
 * A whole RDMA fabric in one thread under virtual time. Every delay, fault and order comes from one seed, so a run is
 * replayed by its seed alone. Bytes move between real memory, through {@link io.gannet.ring.RingMemory}; clocks, wires
 * and NICs are simulated.
 *
 * <p>The unit is the message, not the packet: loss shows as the time of retransmissions, as the exhaustion of retries
 * and as bytes that are placed partly and in any order before the completion that covers them.
 */
package io.gannet.rdma.sim;
