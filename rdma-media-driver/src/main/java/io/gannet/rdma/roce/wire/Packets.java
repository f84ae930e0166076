package io.gannet.rdma.roce.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * What every packet has in common: UDP port, ICRC trailer, smallest and largest size, and the check that must come
 * before any field beyond the BTH is read.
 */
public final class Packets
{
    /** UDP destination port of RoCE v2. */
    public static final int UDP_PORT = 4791;
    /** Bytes of the ICRC at the end of every packet. */
    public static final int ICRC_SIZE = 4;
    /** Bytes of an acknowledge: BTH, AETH, ICRC. */
    public static final int ACK_SIZE = Bth.SIZE + Aeth.SIZE + ICRC_SIZE;
    /** Bytes of a congestion notification: BTH, 16 reserved bytes, ICRC. */
    public static final int CNP_SIZE = Bth.SIZE + 16 + ICRC_SIZE;
    /** Bytes of every message of the connection manager: BTH, DETH, MAD, ICRC. */
    public static final int CM_SIZE = Bth.SIZE + Deth.SIZE + Mad.SIZE + ICRC_SIZE;
    /** Largest path MTU of the architecture. */
    public static final int MAX_MTU = 4096;
    /** Largest packet: a WRITE with immediate of the largest path MTU. */
    public static final int MAX_SIZE = Bth.SIZE + Reth.SIZE + ImmDt.SIZE + MAX_MTU + ICRC_SIZE;
    /** Smallest packet that is looked at. */
    public static final int MIN_SIZE = Bth.SIZE + ICRC_SIZE;

    private Packets()
    {
    }

    /**
     * Whether {@code length} bytes at {@code offset} are a packet whose headers, padding and ICRC all lie within it:
     * size a multiple of four in range, version 0, a known opcode.
     */
    public static boolean wellFormed(final UnsafeBuffer buffer, final int offset, final int length)
    {
        if (length < MIN_SIZE || length > MAX_SIZE || (length & 3) != 0 || Bth.version(buffer, offset) != 0)
        {
            return false;
        }
        final int opcode = Bth.opcode(buffer, offset);
        final int pad = Bth.pad(buffer, offset);
        if (Opcode.isRc(opcode))
        {
            final int payload = length - ICRC_SIZE - Opcode.headerLength(opcode) - pad;
            return Opcode.hasPayload(opcode) ? payload >= 0 : payload == 0;
        }
        final int expected = opcode == Opcode.UD_SEND_ONLY ? CM_SIZE : opcode == Opcode.CNP ? CNP_SIZE : 0;
        return length == expected && pad == 0;
    }

    /** Payload bytes of a well-formed RC packet, without padding. */
    public static int payloadLength(final UnsafeBuffer buffer, final int offset, final int length)
    {
        return length - ICRC_SIZE - Opcode.headerLength(Bth.opcode(buffer, offset)) - Bth.pad(buffer, offset);
    }

    /** Padding that {@code length} payload bytes need. */
    public static int padFor(final int length)
    {
        return -length & 3;
    }

    /** Path MTU code (1 to 5) of 256, 512, 1024, 2048 or 4096 bytes. */
    public static int mtuCode(final int mtu)
    {
        return Integer.numberOfTrailingZeros(mtu) - 7;
    }

    /** Path MTU in bytes of a code, 1 to 5. */
    public static int mtuOfCode(final int code)
    {
        return 128 << code;
    }

    /** Whether {@code code} stands for a path MTU. */
    public static boolean isMtuCode(final int code)
    {
        return code >= 1 && code <= 5;
    }
}
