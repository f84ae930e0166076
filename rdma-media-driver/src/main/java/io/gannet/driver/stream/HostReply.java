package io.gannet.driver.stream;

import java.util.zip.CRC32;

import io.gannet.rdma.ConnectionManager;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Private data of the rejection that answers a {@link HostRequest}: a part of what the host says of itself,
 * little-endian.
 * <pre>
 *  0       4         6   8       12       16      20      24
 *  +-------+---------+---+-------+--------+-------+-------+-- count bytes --
 *  | magic | version | 0 | total | offset | crc   | count |
 *  +-------+---------+---+-------+--------+-------+-------+-----------------
 * </pre>
 *
 * @param total  bytes of the whole.
 * @param offset of the first byte in here.
 * @param crc    CRC-32 of the whole: parts with different ones do not belong together.
 * @param part   the bytes.
 */
record HostReply(int total, int offset, int crc, DirectBuffer part)
{
    /** Version of these two messages, apart from the protocol's. */
    static final int VERSION = 1;
    /** Longest whole. */
    static final int MAX_TOTAL = 2048;

    private static final int MAGIC_VALUE = 0x3248_4E47;
    private static final int MAGIC = 0;
    private static final int VERSION_OFFSET = 4;
    private static final int TOTAL = 8;
    private static final int OFFSET = 12;
    private static final int CRC = 16;
    private static final int COUNT = 20;
    private static final int PART = 24;
    private static final int MAX_PART = ConnectionManager.MAX_REJECT_PRIVATE_DATA - PART;

    /**
     * The part of {@code whole} that starts at an offset; an empty one behind the end.
     *
     * @param whole  at most {@link #MAX_TOTAL} bytes.
     * @param offset any number.
     */
    static HostReply of(final byte[] whole, final int offset)
    {
        final int from = Math.min(Math.max(offset, 0), whole.length);
        final int count = Math.min(whole.length - from, MAX_PART);
        return new HostReply(whole.length, from, crc(whole), new UnsafeBuffer(whole, from, count));
    }

    static int crc(final byte[] whole)
    {
        final CRC32 crc = new CRC32();
        crc.update(whole);
        return (int) crc.getValue();
    }

    DirectBuffer encode()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[PART + part.capacity()]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putShort(VERSION_OFFSET, (short) VERSION);
        buffer.putInt(TOTAL, total);
        buffer.putInt(OFFSET, offset);
        buffer.putInt(CRC, crc);
        buffer.putInt(COUNT, part.capacity());
        buffer.putBytes(PART, part, 0, part.capacity());
        return buffer;
    }

    /** {@return whether the data is one of these, of whatever version} */
    static boolean isOne(final DirectBuffer data)
    {
        return data.capacity() >= PART && data.getInt(MAGIC) == MAGIC_VALUE;
    }

    /**
     * Reads and checks a reply that {@link #isOne}.
     *
     * @throws SetupException saying what is wrong; with {@link SetupRefusal#VERSION} if it is of another version.
     */
    static HostReply decode(final DirectBuffer data)
    {
        final int version = data.getShort(VERSION_OFFSET) & 0xFFFF;
        if (version != VERSION)
        {
            throw new SetupException(SetupRefusal.VERSION,
                "it answers in version " + version + " of this question, and this doctor reads " + VERSION);
        }
        final int total = data.getInt(TOTAL);
        final int offset = data.getInt(OFFSET);
        final int count = data.getInt(COUNT);
        if (total < 0 || total > MAX_TOTAL || offset < 0 || offset > total || count < 0 ||
            count > total - offset || PART + count > data.capacity())
        {
            throw new SetupException(SetupRefusal.MALFORMED, "it answers with bytes " + offset + " to " +
                ((long) offset + count) + " of " + total + " in a message of " + data.capacity());
        }
        final UnsafeBuffer part = new UnsafeBuffer(new byte[count]);
        part.putBytes(0, data, PART, count);
        return new HostReply(total, offset, data.getInt(CRC), part);
    }
}
