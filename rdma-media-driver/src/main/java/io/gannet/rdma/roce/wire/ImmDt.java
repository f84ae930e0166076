package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Immediate data: four bytes right before the payload, after a RETH where there is one.
 */
public final class ImmDt
{
    /** Bytes. */
    public static final int SIZE = 4;

    private ImmDt()
    {
    }

    /** Writes the immediate. */
    public static void write(final UnsafeBuffer buffer, final int offset, final int value)
    {
        buffer.putInt(offset, value, ByteOrder.BIG_ENDIAN);
    }

    /** The immediate. */
    public static int value(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, ByteOrder.BIG_ENDIAN);
    }
}
