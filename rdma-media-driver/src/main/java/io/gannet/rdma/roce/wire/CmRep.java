package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Body of REP, the acceptor's answer.
 * <pre>
 *   0  {@link CmIds}
 *   8  local Q_Key (32)
 *  12  local QPN (24), vendor (8)
 *  16  local EEC (24), vendor (8)
 *  20  starting PSN (24), vendor (8)
 *  24  responder resources (8), initiator depth (8)
 *  26  target ACK delay (5), failover accepted (2), end-to-end flow control (1)
 *  27  RNR retry count (3), SRQ (1), reserved (4)
 *  28  local CA GUID (64)
 *  36  private data (196 bytes)
 * </pre>
 * The starting PSN is what the <em>initiator</em> must use first; the RNR retry count is for the initiator's queue
 * pair. There is no path MTU: the initiator's is final.
 */
public final class CmRep
{
    /** Where private data starts. */
    public static final int PRIVATE_DATA = 36;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_SIZE = 196;

    private static final int QPN = 12;
    private static final int STARTING_PSN = 20;
    private static final int RESPONDER_RESOURCES = 24;
    private static final int INITIATOR_DEPTH = 25;
    private static final int ACK_DELAY = 26;
    private static final int RNR_RETRY = 27;
    private static final int CA_GUID = 28;

    private CmRep()
    {
    }

    /** Writes queue pair and CA GUID. */
    public static void writeIdentity(
        final UnsafeBuffer buffer, final int body, final int qpn, final int startingPsn, final long caGuid)
    {
        Uint24.put(buffer, body + QPN, qpn);
        Uint24.put(buffer, body + STARTING_PSN, startingPsn);
        buffer.putLong(body + CA_GUID, caGuid, ByteOrder.BIG_ENDIAN);
    }

    /** Writes the numbers for the initiator's queue pair; {@code ackDelay} is an {@link AckTimeout} code. */
    public static void writeTransport(
        final UnsafeBuffer buffer,
        final int body,
        final int ackDelay,
        final int rnrRetryCount,
        final boolean flowControl,
        final int responderResources,
        final int initiatorDepth)
    {
        buffer.putByte(body + RESPONDER_RESOURCES, (byte) responderResources);
        buffer.putByte(body + INITIATOR_DEPTH, (byte) initiatorDepth);
        buffer.putByte(body + ACK_DELAY, (byte) ((ackDelay << 3) | (flowControl ? 1 : 0)));
        buffer.putByte(body + RNR_RETRY, (byte) (rnrRetryCount << 5));
    }

    /** The acceptor's queue pair. */
    public static int qpn(final UnsafeBuffer buffer, final int body)
    {
        return Uint24.get(buffer, body + QPN);
    }

    /** PSN that the initiator must use first. */
    public static int startingPsn(final UnsafeBuffer buffer, final int body)
    {
        return Uint24.get(buffer, body + STARTING_PSN);
    }

    /** READs and atomics that the acceptor accepts. */
    public static int responderResources(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + RESPONDER_RESOURCES) & 0xff;
    }

    /** READs and atomics that the acceptor will have open. */
    public static int initiatorDepth(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + INITIATOR_DEPTH) & 0xff;
    }

    /** Code of the longest time that the acceptor takes to acknowledge. */
    public static int ackDelay(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + ACK_DELAY) >> 3 & 0x1f;
    }

    /** Whether the acceptor's responder generates credits. */
    public static boolean flowControl(final UnsafeBuffer buffer, final int body)
    {
        return (buffer.getByte(body + ACK_DELAY) & 1) != 0;
    }

    /** RNR retry count for the initiator's queue pair. */
    public static int rnrRetryCount(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + RNR_RETRY) >> 5 & 7;
    }

    /** The acceptor's CA GUID. */
    public static long caGuid(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getLong(body + CA_GUID, ByteOrder.BIG_ENDIAN);
    }
}
