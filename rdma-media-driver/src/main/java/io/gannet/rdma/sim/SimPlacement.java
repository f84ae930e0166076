package io.gannet.rdma.sim;

import org.agrona.UnsafeApi;

import io.gannet.ring.RingMemory;

/**
 * Places received bytes in memory: each aligned 8-byte word by one release store, the ends byte by byte.
 */
final class SimPlacement
{
    private static final long BASE = UnsafeApi.arrayBaseOffset(byte[].class);

    private SimPlacement()
    {
    }

    /**
     * Places a part of a message.
     *
     * @param target of the first byte of the message.
     * @param from   first byte of the part.
     * @param to     end of the part.
     */
    static void place(final RingMemory memory, final byte[] bytes, final long target, final int from, final int to)
    {
        int at = from;
        while (at < to)
        {
            if (((target + at) & 7) == 0 && at + 8 <= to)
            {
                memory.putLongRelease(target + at, UnsafeApi.getLong(bytes, BASE + at));
                at += 8;
            }
            else
            {
                memory.copyFrom(bytes, BASE + at, target + at, 1);
                at++;
            }
        }
    }
}
