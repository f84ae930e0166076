package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * ACK extended transport header.
 * <pre>
 *  0          1        4
 *  +----------+--------+
 *  | syndrome |  MSN   |
 *  +----------+--------+
 * </pre>
 * Syndrome: 000ccccc = ACK with credit code c (31: no flow control), 001ttttt = receiver not ready with timer code t,
 * 011nnnnn = NAK with code n. MSN counts the messages that the responder has completed.
 */
public final class Aeth
{
    /** Bytes. */
    public static final int SIZE = 4;
    /** ACK without credits. */
    public static final int ACK = 0x1f;
    /** RNR NAK; the low five bits are the timer code. */
    public static final int RNR_NAK = 0x20;
    /** NAK: packet out of sequence. */
    public static final int NAK_SEQUENCE = 0x60;
    /** NAK: invalid request (opcode order, length). */
    public static final int NAK_INVALID_REQUEST = 0x61;
    /** NAK: remote access (r_key, range, rights). */
    public static final int NAK_REMOTE_ACCESS = 0x62;
    /** NAK: remote operational error. */
    public static final int NAK_REMOTE_OPERATION = 0x63;

    /** Mask of the syndrome's kind. */
    public static final int KIND_MASK = 0xe0;
    /** Mask of the syndrome's value: credit code, timer code or NAK code. */
    public static final int VALUE_MASK = 0x1f;

    private Aeth()
    {
    }

    /** Writes the header at {@code offset}. */
    public static void write(final UnsafeBuffer buffer, final int offset, final int syndrome, final int msn)
    {
        buffer.putInt(offset, (syndrome << 24) | (msn & Uint24.MASK), ByteOrder.BIG_ENDIAN);
    }

    /** Syndrome, 0 to 255. */
    public static int syndrome(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset) & 0xff;
    }

    /** Message sequence number, 24 bits. */
    public static int msn(final UnsafeBuffer buffer, final int offset)
    {
        return Uint24.get(buffer, offset + 1);
    }
}
