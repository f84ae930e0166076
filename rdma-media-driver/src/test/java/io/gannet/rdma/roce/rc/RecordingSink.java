package io.gannet.rdma.roce.rc;

import io.gannet.rdma.roce.wire.Packets;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Keeps packets, without ICRC, until they are looked at.
 */
final class RecordingSink implements PacketSink
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(Packets.MAX_SIZE));
    private final Queue<byte[]> packets = new ArrayDeque<>();
    private int claimed;
    private int room = Integer.MAX_VALUE;

    void room(final int packetsThatFit)
    {
        room = packetsThatFit;
    }

    /** The oldest packet not looked at, or null. */
    byte[] poll()
    {
        return packets.poll();
    }

    int size()
    {
        return packets.size();
    }

    @Override
    public int claim(final int length)
    {
        if (packets.size() >= room)
        {
            return -1;
        }
        claimed = length;
        return 0;
    }

    @Override
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    @Override
    public void commit()
    {
        final byte[] packet = new byte[claimed - Packets.ICRC_SIZE];
        buffer.getBytes(0, packet);
        packets.add(packet);
    }
}
