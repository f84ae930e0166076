package io.gannet.rdma.roce.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Body of MRA, "message received, the answer takes longer".
 * <pre>
 *   0  {@link CmIds}
 *   8  message acknowledged (2): 0 REQ, 1 REP, 2 other; reserved (6)
 *   9  service time-out (5), reserved (3)
 *  10  private data (222 bytes)
 * </pre>
 */
public final class CmMra
{
    /** Acknowledged message: REQ. */
    public static final int OF_REQ = 0;
    /** Acknowledged message: REP. */
    public static final int OF_REP = 1;

    private static final int MESSAGE = 8;
    private static final int TIMEOUT = 9;

    private CmMra()
    {
    }

    /** Writes what is acknowledged and the {@link AckTimeout} code of the time that the answer may take. */
    public static void write(final UnsafeBuffer buffer, final int body, final int message, final int serviceTimeout)
    {
        buffer.putByte(body + MESSAGE, (byte) (message << 6));
        buffer.putByte(body + TIMEOUT, (byte) (serviceTimeout << 3));
    }

    /** Acknowledged message. */
    public static int message(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + MESSAGE) >> 6 & 3;
    }

    /** Code of the time that the answer may take. */
    public static int serviceTimeout(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + TIMEOUT) >> 3 & 0x1f;
    }
}
