package io.gannet.rdma.roce.net;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Takes received packets, each between BTH and ICRC.
 */
public interface PacketReceiver
{
    /**
     * Called once per packet.
     *
     * @param packet     native memory of the whole batch.
     * @param bytes      the same memory; position and limit may be changed.
     * @param sourceHigh first half of the sender's GID.
     * @param sourceLow  second half.
     * @param congested  whether the network marked the packet (ECN).
     */
    void onPacket(
        UnsafeBuffer packet,
        ByteBuffer bytes,
        int offset,
        int length,
        long sourceHigh,
        long sourceLow,
        int sourcePort,
        boolean congested);
}
