package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Body of REJ.
 * <pre>
 *   0  {@link CmIds}; local is 0 where the sender has made no connection
 *   8  message rejected (2): 0 REQ, 1 REP, 2 none or other; reserved (6)
 *   9  length of additional information (7), reserved (1)
 *  10  reason (16)
 *  12  additional information (72 bytes)
 *  84  private data (148 bytes)
 * </pre>
 */
public final class CmRej
{
    /** Rejected message: REQ. */
    public static final int OF_REQ = 0;
    /** Rejected message: REP. */
    public static final int OF_REP = 1;
    /** Rejected message: none in particular. */
    public static final int OF_NONE = 2;

    /** Reason: no resources. */
    public static final int NO_RESOURCES = 3;
    /** Reason: the other side took too long. */
    public static final int TIMEOUT = 4;
    /** Reason: nobody listens for the service. */
    public static final int INVALID_SERVICE = 8;
    /** Reason: the queue pair is still connected under another communication id. */
    public static final int STALE_CONNECTION = 10;
    /** Reason: GID is not the receiver's, or the P_Key not in its table. */
    public static final int INVALID_GID = 12;
    /** Reason: path MTU. */
    public static final int INVALID_MTU = 26;
    /** Reason: the program said no; kernels use it for every refusal after a listener was found. */
    public static final int CONSUMER = 28;

    /** Where additional information starts. */
    public static final int INFO = 12;
    /** Bytes of additional information, at most. */
    public static final int INFO_SIZE = 72;
    /** Where private data starts. */
    public static final int PRIVATE_DATA = 84;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_SIZE = 148;

    private static final int MESSAGE = 8;
    private static final int INFO_LENGTH = 9;
    private static final int REASON = 10;

    private CmRej()
    {
    }

    /** Writes what is rejected, why, and how many bytes of information follow. */
    public static void write(
        final UnsafeBuffer buffer, final int body, final int message, final int reason, final int infoLength)
    {
        buffer.putByte(body + MESSAGE, (byte) (message << 6));
        buffer.putByte(body + INFO_LENGTH, (byte) (infoLength << 1));
        buffer.putShort(body + REASON, (short) reason, ByteOrder.BIG_ENDIAN);
    }

    /** Rejected message. */
    public static int message(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + MESSAGE) >> 6 & 3;
    }

    /** Bytes of additional information, 0 to {@link #INFO_SIZE}, whatever the packet says. */
    public static int infoLength(final UnsafeBuffer buffer, final int body)
    {
        return Math.min(INFO_SIZE, buffer.getByte(body + INFO_LENGTH) >> 1 & 0x7f);
    }

    /** Reason. */
    public static int reason(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getShort(body + REASON, ByteOrder.BIG_ENDIAN) & 0xffff;
    }
}
