package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Big-endian 24-bit numbers (QPN, PSN, MSN), which always share a 32-bit word with one byte before or after them.
 */
final class Uint24
{
    static final int MASK = 0xff_ffff;

    private Uint24()
    {
    }

    /** The number in bytes [offset, offset + 3). */
    static int get(final UnsafeBuffer buffer, final int offset)
    {
        return ((buffer.getByte(offset) & 0xff) << 16) | (buffer.getShort(offset + 1, ByteOrder.BIG_ENDIAN) & 0xffff);
    }

    static void put(final UnsafeBuffer buffer, final int offset, final int value)
    {
        buffer.putByte(offset, (byte) (value >> 16));
        buffer.putShort(offset + 1, (short) value, ByteOrder.BIG_ENDIAN);
    }
}
