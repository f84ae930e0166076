package io.gannet.rdma.roce.rc;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where a queue pair puts its packets: a way to its peer. A packet is built in place between {@link #claim} and
 * {@link #commit}; the sink adds ICRC and addresses.
 */
public interface PacketSink
{
    /**
     * Reserves room for a packet.
     *
     * @param length bytes from BTH to ICRC, a multiple of four.
     * @return offset of the BTH in {@link #buffer()}, or -1 if there is no room now.
     */
    int claim(int length);

    /** Memory of the packet, native. */
    UnsafeBuffer buffer();

    /** Takes over the packet claimed last. */
    void commit();
}
