package io.gannet.driver.stream;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Private data of a doctor that asks what a driver's host is like, little-endian; the answer is a rejection with a
 * {@link HostReply}. Answered whatever the versions are, as these are a part of the answer.
 * <pre>
 *  0       4         6   8        12
 *  +-------+---------+---+--------+
 *  | magic | version | 0 | offset |
 *  +-------+---------+---+--------+
 * </pre>
 *
 * @param offset of the first byte that is asked for.
 */
record HostRequest(int offset)
{
    static final int LENGTH = 12;

    private static final int MAGIC_VALUE = 0x3146_4E47;
    private static final int MAGIC = 0;
    private static final int VERSION = 4;
    private static final int OFFSET = 8;

    DirectBuffer encode()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putShort(VERSION, (short) HostReply.VERSION);
        buffer.putInt(OFFSET, offset);
        return buffer;
    }

    /** {@return whether the data is one of these, of whatever version} */
    static boolean isOne(final DirectBuffer data)
    {
        return data.capacity() >= LENGTH && data.getInt(MAGIC) == MAGIC_VALUE;
    }

    /** Reads a request that {@link #isOne}; every offset is possible, and checked by who answers. */
    static HostRequest decode(final DirectBuffer data)
    {
        return new HostRequest(data.getInt(OFFSET));
    }
}
