package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Datagram extended transport header, after the BTH of a UD packet.
 * <pre>
 *  0        4          5            8
 *  +--------+----------+------------+
 *  | Q_Key  | reserved | source QPN |
 *  +--------+----------+------------+
 * </pre>
 */
public final class Deth
{
    /** Bytes. */
    public static final int SIZE = 8;
    /** The well-known Q_Key of QP 1. */
    public static final int GSI_QKEY = 0x8001_0000;

    private Deth()
    {
    }

    /** Writes the header at {@code offset}. */
    public static void write(final UnsafeBuffer buffer, final int offset, final int qkey, final int sourceQpn)
    {
        buffer.putInt(offset, qkey, ByteOrder.BIG_ENDIAN);
        buffer.putInt(offset + 4, sourceQpn & Uint24.MASK, ByteOrder.BIG_ENDIAN);
    }

    /** Queue key. */
    public static int qkey(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, ByteOrder.BIG_ENDIAN);
    }

    /** Source queue pair. */
    public static int sourceQpn(final UnsafeBuffer buffer, final int offset)
    {
        return Uint24.get(buffer, offset + 5);
    }
}
