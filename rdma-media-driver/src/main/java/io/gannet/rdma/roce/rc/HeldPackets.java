package io.gannet.rdma.roce.rc;

import io.gannet.rdma.roce.wire.Packets;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Requests that came before an earlier one: kept until that comes too, which on a network that reorders is soon. A few
 * of them, and for a short time; what does not fit is dropped, and the peer goes back to it.
 */
final class HeldPackets
{
    /** Packets behind the missing one. */
    static final int MOST = 16;

    private static final long NONE = -1;

    private final UnsafeBuffer packets = new UnsafeBuffer(new byte[MOST * Packets.MAX_SIZE]);
    private final long[] psns = new long[MOST];
    private final int[] lengths = new int[MOST];
    private int count;

    HeldPackets()
    {
        clear();
    }

    void clear()
    {
        Arrays.fill(psns, NONE);
        count = 0;
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    /** Keeps a packet; a second one of that number is as good as the first. */
    void add(final long psn, final UnsafeBuffer packet, final int offset, final int length)
    {
        final int slot = slot(psn);
        if (psns[slot] != psn)
        {
            count += psns[slot] == NONE ? 1 : 0;
            psns[slot] = psn;
            lengths[slot] = length;
            packets.putBytes(slot * Packets.MAX_SIZE, packet, offset, length);
        }
    }

    /** Whether the packet is kept; afterwards it is no longer, but its bytes stay until the next one is added. */
    boolean take(final long psn)
    {
        final int slot = slot(psn);
        if (psns[slot] != psn)
        {
            return false;
        }
        psns[slot] = NONE;
        count--;
        return true;
    }

    UnsafeBuffer buffer()
    {
        return packets;
    }

    int offset(final long psn)
    {
        return slot(psn) * Packets.MAX_SIZE;
    }

    int length(final long psn)
    {
        return lengths[slot(psn)];
    }

    private static int slot(final long psn)
    {
        return (int) psn & (MOST - 1);
    }
}
