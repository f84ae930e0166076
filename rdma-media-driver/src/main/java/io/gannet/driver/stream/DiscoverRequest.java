package io.gannet.driver.stream;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Private data of a subscribers' driver that asks which publications of a stream there are, little-endian; the answer
 * is a rejection with a {@link DiscoverReply}.
 * <pre>
 *  0       4         6     8           12    16      24
 *  +-------+---------+-----+-----------+-----+-------+
 *  | magic | version | 0   | stream id | 0   | after |
 *  +-------+---------+-----+-----------+-----+-------+
 * </pre>
 *
 * @param streamId of the stream.
 * @param after    the publication id behind which to go on, as an unsigned number; 0 at first.
 */
record DiscoverRequest(int streamId, long after)
{
    static final int LENGTH = 24;

    private static final int MAGIC_VALUE = 0x3144_4E47;
    private static final int MAGIC = 0;
    private static final int VERSION = 4;
    private static final int STREAM_ID = 8;
    private static final int AFTER = 16;

    DirectBuffer encode()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putShort(VERSION, (short) SetupRequest.VERSION);
        buffer.putInt(STREAM_ID, streamId);
        buffer.putLong(AFTER, after);
        return buffer;
    }

    /** {@return whether the data is one of these, of whatever version} */
    static boolean isOne(final DirectBuffer data)
    {
        return data.capacity() >= LENGTH && data.getInt(MAGIC) == MAGIC_VALUE;
    }

    /**
     * Reads and checks a request that {@link #isOne}.
     *
     * @throws SetupException saying what is wrong.
     */
    static DiscoverRequest decode(final DirectBuffer data)
    {
        SetupRequest.checkVersion(data.getShort(VERSION) & 0xFFFF);
        return new DiscoverRequest(data.getInt(STREAM_ID), data.getLong(AFTER));
    }
}
