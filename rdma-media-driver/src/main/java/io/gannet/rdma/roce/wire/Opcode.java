package io.gannet.rdma.roce.wire;

/**
 * BTH opcodes that this NIC sends or answers. The upper three bits are the transport (0 RC, 3 UD, 4 CNP); the lower
 * five the operation and its place in the message.
 */
public final class Opcode
{
    /** First packet of a SEND. */
    public static final int SEND_FIRST = 0x00;
    /** Middle packet of a SEND. */
    public static final int SEND_MIDDLE = 0x01;
    /** Last packet of a SEND. */
    public static final int SEND_LAST = 0x02;
    /** Last packet of a SEND with immediate. */
    public static final int SEND_LAST_IMM = 0x03;
    /** A SEND of one packet. */
    public static final int SEND_ONLY = 0x04;
    /** A SEND with immediate of one packet. */
    public static final int SEND_ONLY_IMM = 0x05;
    /** First packet of a WRITE; carries the RETH. */
    public static final int WRITE_FIRST = 0x06;
    /** Middle packet of a WRITE. */
    public static final int WRITE_MIDDLE = 0x07;
    /** Last packet of a WRITE. */
    public static final int WRITE_LAST = 0x08;
    /** Last packet of a WRITE with immediate. */
    public static final int WRITE_LAST_IMM = 0x09;
    /** A WRITE of one packet. */
    public static final int WRITE_ONLY = 0x0a;
    /** A WRITE with immediate of one packet. */
    public static final int WRITE_ONLY_IMM = 0x0b;
    /** READ request: recognised, refused. */
    public static final int READ_REQUEST = 0x0c;
    /** First packet of a READ response. */
    public static final int READ_RESPONSE_FIRST = 0x0d;
    /** Middle packet of a READ response. */
    public static final int READ_RESPONSE_MIDDLE = 0x0e;
    /** Last packet of a READ response. */
    public static final int READ_RESPONSE_LAST = 0x0f;
    /** A READ response of one packet. */
    public static final int READ_RESPONSE_ONLY = 0x10;
    /** Acknowledge, negative or not. */
    public static final int ACKNOWLEDGE = 0x11;
    /** Answer to an atomic. */
    public static final int ATOMIC_ACKNOWLEDGE = 0x12;
    /** Compare and swap: recognised, refused. */
    public static final int COMPARE_SWAP = 0x13;
    /** Fetch and add: recognised, refused. */
    public static final int FETCH_ADD = 0x14;
    /** UD SEND of one packet: every message of the connection manager. */
    public static final int UD_SEND_ONLY = 0x64;
    /** Congestion notification (RoCE v2 annex). */
    public static final int CNP = 0x81;

    private static final int RETH = 1;
    private static final int IMM = 2;
    private static final int AETH = 4;
    private static final int PAYLOAD = 8;
    private static final int START = 16;
    private static final int END = 32;
    private static final int REQUEST = 64;
    private static final byte[] TRAITS = new byte[0x15];

    static
    {
        TRAITS[SEND_FIRST] = REQUEST | PAYLOAD | START;
        TRAITS[SEND_MIDDLE] = REQUEST | PAYLOAD;
        TRAITS[SEND_LAST] = REQUEST | PAYLOAD | END;
        TRAITS[SEND_LAST_IMM] = REQUEST | PAYLOAD | END | IMM;
        TRAITS[SEND_ONLY] = REQUEST | PAYLOAD | START | END;
        TRAITS[SEND_ONLY_IMM] = REQUEST | PAYLOAD | START | END | IMM;
        TRAITS[WRITE_FIRST] = REQUEST | PAYLOAD | START | RETH;
        TRAITS[WRITE_MIDDLE] = REQUEST | PAYLOAD;
        TRAITS[WRITE_LAST] = REQUEST | PAYLOAD | END;
        TRAITS[WRITE_LAST_IMM] = REQUEST | PAYLOAD | END | IMM;
        TRAITS[WRITE_ONLY] = REQUEST | PAYLOAD | START | END | RETH;
        TRAITS[WRITE_ONLY_IMM] = REQUEST | PAYLOAD | START | END | RETH | IMM;
        TRAITS[READ_REQUEST] = REQUEST | START | END | RETH;
        TRAITS[READ_RESPONSE_FIRST] = PAYLOAD | START | AETH;
        TRAITS[READ_RESPONSE_MIDDLE] = PAYLOAD;
        TRAITS[READ_RESPONSE_LAST] = PAYLOAD | END | AETH;
        TRAITS[READ_RESPONSE_ONLY] = PAYLOAD | START | END | AETH;
        TRAITS[ACKNOWLEDGE] = AETH;
        TRAITS[ATOMIC_ACKNOWLEDGE] = AETH;
        TRAITS[COMPARE_SWAP] = REQUEST | START | END;
        TRAITS[FETCH_ADD] = REQUEST | START | END;
    }

    private Opcode()
    {
    }

    /** Whether the opcode belongs to the reliable connected transport and is assigned. */
    public static boolean isRc(final int opcode)
    {
        return opcode < TRAITS.length;
    }

    /** Whether an RC opcode is a request, to be handled by the responder. */
    public static boolean isRequest(final int opcode)
    {
        return has(opcode, REQUEST);
    }

    /** Whether an RC opcode is one of SEND's. */
    public static boolean isSend(final int opcode)
    {
        return opcode <= SEND_ONLY_IMM;
    }

    /** Whether an RC opcode is one of WRITE's. */
    public static boolean isWrite(final int opcode)
    {
        return opcode >= WRITE_FIRST && opcode <= WRITE_ONLY_IMM;
    }

    /** Whether a packet of this RC opcode is the first of its message. */
    public static boolean isStart(final int opcode)
    {
        return has(opcode, START);
    }

    /** Whether a packet of this RC opcode is the last of its message. */
    public static boolean isEnd(final int opcode)
    {
        return has(opcode, END);
    }

    /** Whether a RETH follows the BTH. */
    public static boolean hasReth(final int opcode)
    {
        return has(opcode, RETH);
    }

    /** Whether an immediate precedes the payload. */
    public static boolean hasImm(final int opcode)
    {
        return has(opcode, IMM);
    }

    /** Whether an AETH follows the BTH. */
    public static boolean hasAeth(final int opcode)
    {
        return has(opcode, AETH);
    }

    /** Bytes from the start of the BTH to the payload, for an RC opcode. */
    public static int headerLength(final int opcode)
    {
        final int traits = TRAITS[opcode];
        if (opcode >= ATOMIC_ACKNOWLEDGE)
        {
            return Bth.SIZE + (opcode == ATOMIC_ACKNOWLEDGE ? Aeth.SIZE + 8 : 28);
        }
        return Bth.SIZE + ((traits & RETH) != 0 ? Reth.SIZE : 0) + ((traits & IMM) != 0 ? ImmDt.SIZE : 0) +
            ((traits & AETH) != 0 ? Aeth.SIZE : 0);
    }

    /** Whether a packet of this RC opcode may carry payload. */
    public static boolean hasPayload(final int opcode)
    {
        return has(opcode, PAYLOAD);
    }

    private static boolean has(final int opcode, final int trait)
    {
        return (TRAITS[opcode] & trait) != 0;
    }
}
