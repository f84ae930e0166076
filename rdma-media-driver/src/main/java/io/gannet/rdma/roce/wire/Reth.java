package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * RDMA extended transport header, after the BTH of the first (or only) packet of a WRITE.
 * <pre>
 *  0                 8         12           16
 *  +-----------------+---------+------------+
 *  | virtual address |  r_key  | DMA length |
 *  +-----------------+---------+------------+
 * </pre>
 * The length is that of the whole message.
 */
public final class Reth
{
    /** Bytes. */
    public static final int SIZE = 16;

    static final int ADDRESS = 0;
    static final int RKEY = 8;
    static final int LENGTH = 12;

    private Reth()
    {
    }

    /** Writes the header at {@code offset}. */
    public static void write(
        final UnsafeBuffer buffer, final int offset, final long address, final int rkey, final int length)
    {
        buffer.putLong(offset + ADDRESS, address, ByteOrder.BIG_ENDIAN);
        buffer.putInt(offset + RKEY, rkey, ByteOrder.BIG_ENDIAN);
        buffer.putInt(offset + LENGTH, length, ByteOrder.BIG_ENDIAN);
    }

    /** Target address in the responder's terms. */
    public static long address(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + ADDRESS, ByteOrder.BIG_ENDIAN);
    }

    /** Remote key. */
    public static int rkey(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + RKEY, ByteOrder.BIG_ENDIAN);
    }

    /** Bytes of the whole message, as an unsigned 32-bit number. */
    public static long length(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + LENGTH, ByteOrder.BIG_ENDIAN) & 0xffff_ffffL;
    }
}
