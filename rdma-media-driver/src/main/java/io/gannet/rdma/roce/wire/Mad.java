package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Header of a management datagram of the communication management class; 24 bytes, then 232 bytes of body.
 * <pre>
 *  0      1       2         3        4        6           8              16          18       20
 *  +------+-------+---------+--------+--------+-----------+--------------+-----------+--------+----------+
 *  | base | mgmt  | class   | method | status | class     | transaction  | attribute |reserved| attribute|
 *  | vers.| class | version |        |        | specific  | id           | id        |        | modifier |
 *  +------+-------+---------+--------+--------+-----------+--------------+-----------+--------+----------+
 * </pre>
 */
public final class Mad
{
    /** Bytes of header and body. */
    public static final int SIZE = 256;
    /** Bytes of the header: where the body starts. */
    public static final int BODY = 24;
    /** Bytes of the body. */
    public static final int BODY_SIZE = SIZE - BODY;
    /** Where the MAD starts in the UDP payload. */
    public static final int PACKET_OFFSET = Bth.SIZE + Deth.SIZE;

    /** Attribute: request for communication. */
    public static final int REQ = 0x0010;
    /** Attribute: message receipt acknowledgement. */
    public static final int MRA = 0x0011;
    /** Attribute: reject. */
    public static final int REJ = 0x0012;
    /** Attribute: reply. */
    public static final int REP = 0x0013;
    /** Attribute: ready to use. */
    public static final int RTU = 0x0014;
    /** Attribute: disconnect request. */
    public static final int DREQ = 0x0015;
    /** Attribute: disconnect reply. */
    public static final int DREP = 0x0016;

    private static final int HEADER = 0x01_07_02_03;        // base 1, class 7, class version 2, method Send
    private static final int TRANSACTION = 8;
    private static final int ATTRIBUTE = 16;
    private static final int MODIFIER = 20;

    private Mad()
    {
    }

    /** Writes the header and clears the body. */
    public static void write(
        final UnsafeBuffer buffer, final int offset, final int attribute, final long transactionId)
    {
        buffer.setMemory(offset, SIZE, (byte) 0);
        buffer.putInt(offset, HEADER, ByteOrder.BIG_ENDIAN);
        buffer.putLong(offset + TRANSACTION, transactionId, ByteOrder.BIG_ENDIAN);
        buffer.putShort(offset + ATTRIBUTE, (short) attribute, ByteOrder.BIG_ENDIAN);
    }

    /** Whether version, class and method are those of connection management; all others are dropped. */
    public static boolean isConnectionManagement(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, ByteOrder.BIG_ENDIAN) == HEADER;
    }

    /** Transaction id. */
    public static long transactionId(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + TRANSACTION, ByteOrder.BIG_ENDIAN);
    }

    /** Attribute id: which message this is. */
    public static int attribute(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + ATTRIBUTE, ByteOrder.BIG_ENDIAN) & 0xffff;
    }

    /** Attribute modifier: vendor options of the kernel ("ECE"), ignored. */
    public static int modifier(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + MODIFIER, ByteOrder.BIG_ENDIAN);
    }
}
