/**
 * Packets in and out of one UDP socket: batches that the kernel cuts and joins (UDP_SEGMENT, UDP_GRO), the way to a
 * peer with its ICRC, and who may send at all. All of it belongs to the thread that works the NIC.
 */
package io.gannet.rdma.roce.net;
