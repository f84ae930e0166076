package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Base transport header, the first bytes of the UDP payload.
 * <pre>
 *  0      1                     2       4          5           8            9        12
 *  +------+---------------------+-------+----------+-----------+------------+--------+
 *  |opcode| SE M pad(2) TVer(4) | P_Key |FECN BECN | dest. QPN | AckReq(1)  |  PSN   |
 *  |      |                     |       | reserved |           | reserved(7)|        |
 *  +------+---------------------+-------+----------+-----------+------------+--------+
 * </pre>
 * M (migration request) is set by hardware, not by Soft-RoCE; receivers ignore it.
 */
public final class Bth
{
    /** Bytes. */
    public static final int SIZE = 12;
    /** The P_Key of a full member of the default partition. */
    public static final int DEFAULT_PKEY = 0xffff;
    /** The queue pair of the connection manager. */
    public static final int GSI_QPN = 1;

    static final int OPCODE = 0;
    static final int FLAGS = 1;
    static final int PKEY = 2;
    static final int CONGESTION = 4;
    static final int QPN = 5;
    static final int ACK_REQUEST = 8;
    static final int PSN = 9;

    private static final int SOLICITED = 0x80;
    private static final int PAD_SHIFT = 4;
    private static final int TVER_MASK = 0x0f;
    private static final int FECN = 0x80;
    private static final int BECN = 0x40;

    private Bth()
    {
    }

    /** Writes a whole header: version 0, default partition, no congestion bits. */
    public static void write(
        final UnsafeBuffer buffer,
        final int offset,
        final int opcode,
        final int flags,
        final int qpn,
        final boolean ackRequest,
        final int psn)
    {
        buffer.putInt(offset, (opcode << 24) | (flags << 16) | DEFAULT_PKEY, ByteOrder.BIG_ENDIAN);
        buffer.putInt(offset + CONGESTION, qpn & Uint24.MASK, ByteOrder.BIG_ENDIAN);
        buffer.putInt(offset + ACK_REQUEST, (ackRequest ? 0x8000_0000 : 0) | (psn & Uint24.MASK), ByteOrder.BIG_ENDIAN);
    }

    /** The second byte: solicited event and pad count, version 0. */
    public static int flags(final boolean solicited, final int pad)
    {
        return (solicited ? SOLICITED : 0) | (pad << PAD_SHIFT);
    }

    /** Opcode, 0 to 255. */
    public static int opcode(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset) & 0xff;
    }

    /** The second byte as it is. */
    public static int flags(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + FLAGS) & 0xff;
    }

    /** Whether the receiver is asked for a solicited event. */
    public static boolean solicited(final UnsafeBuffer buffer, final int offset)
    {
        return (buffer.getByte(offset + FLAGS) & SOLICITED) != 0;
    }

    /** Bytes of padding between payload and ICRC, 0 to 3. */
    public static int pad(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + FLAGS) >> PAD_SHIFT & 3;
    }

    /** Header version; anything but 0 is dropped. */
    public static int version(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + FLAGS) & TVER_MASK;
    }

    /** Partition key. */
    public static int pkey(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + PKEY, ByteOrder.BIG_ENDIAN) & 0xffff;
    }

    /**
     * Whether the packet is of the default partition: the low 15 bits are equal, and as we are a full member the
     * sender need not be.
     */
    public static boolean inDefaultPartition(final UnsafeBuffer buffer, final int offset)
    {
        return (pkey(buffer, offset) & 0x7fff) == (DEFAULT_PKEY & 0x7fff);
    }

    /** Byte 4: FECN, BECN and six reserved bits; not covered by the ICRC. */
    public static int congestion(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + CONGESTION) & 0xff;
    }

    /** Forward congestion notification. */
    public static boolean fecn(final UnsafeBuffer buffer, final int offset)
    {
        return (buffer.getByte(offset + CONGESTION) & FECN) != 0;
    }

    /** Backward congestion notification. */
    public static boolean becn(final UnsafeBuffer buffer, final int offset)
    {
        return (buffer.getByte(offset + CONGESTION) & BECN) != 0;
    }

    /** Sets byte 4, as a congestion notification needs it. */
    public static void congestion(final UnsafeBuffer buffer, final int offset, final boolean fecn, final boolean becn)
    {
        buffer.putByte(offset + CONGESTION, (byte) ((fecn ? FECN : 0) | (becn ? BECN : 0)));
    }

    /** Destination queue pair, 24 bits. */
    public static int qpn(final UnsafeBuffer buffer, final int offset)
    {
        return Uint24.get(buffer, offset + QPN);
    }

    /** Whether the sender asks for an acknowledge. */
    public static boolean ackRequest(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + ACK_REQUEST) < 0;
    }

    /** Packet sequence number, 24 bits. */
    public static int psn(final UnsafeBuffer buffer, final int offset)
    {
        return Uint24.get(buffer, offset + PSN);
    }
}
