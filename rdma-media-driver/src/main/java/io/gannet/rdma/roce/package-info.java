/**
 * A NIC in software that speaks RoCE v2 on UDP port 4791, wire-compatible with kernel Soft-RoCE and hardware peers: the
 * provider where no RDMA device is.
 *
 * <p>Layers, lower ones know nothing of upper ones: {@code wire} (headers), {@code rc} (the reliable connected
 * protocol) and {@code cm} (the connection manager's), {@code net} (sockets), and here the provider.
 *
 * <p><b>Threads.</b> {@link io.gannet.rdma.roce.RoceDevice#doWork} does all receiving, executing, timing and sending.
 * It takes the device's lock for a turn, without waiting for it; control calls of other threads take it too. Posting
 * and polling threads never do: they meet the working thread in single-producer queues.
 */
package io.gannet.rdma.roce;
