package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Body of REQ, the request for communication. Fields that RoCE does not use (EEC, alternate path, LIDs, SL) are
 * written as a kernel peer writes them and never read.
 * <pre>
 *   0  local comm id (32)
 *   4  reserved (8), vendor id (24)
 *   8  service id (64): 0x0000000001060000 + port for RDMA_PS_TCP
 *  16  local CA GUID (64)
 *  24  reserved (32)
 *  28  local Q_Key (32)
 *  32  local QPN (24), responder resources (8)
 *  36  local EECN (24), initiator depth (8)
 *  40  remote EECN (24), remote CM response time-out (5), transport type (2), end-to-end flow control (1)
 *  44  starting PSN (24), local CM response time-out (5), retry count (3)
 *  48  P_Key (16), path MTU (4), RDC exists (1), RNR retry count (3), max CM retries (4), SRQ (1), ext. transport (3)
 *  52  primary local LID (16), remote LID (16)
 *  56  primary local GID (128)
 *  72  primary remote GID (128)
 *  88  flow label (20), reserved (6), packet rate (6)
 *  92  traffic class (8), hop limit (8), SL (4), subnet local (1), reserved (3), local ACK time-out (5), reserved (3)
 *  96  alternate path (44 bytes)
 * 140  private data (92 bytes): {@link RdmaCmHeader}, then 56 bytes of the user
 * </pre>
 * The starting PSN is what the <em>acceptor</em> must use first; the retry counts and the ACK time-out are meant for
 * the acceptor's queue pair too.
 */
public final class CmReq
{
    /** Transport type of a reliable connection. */
    public static final int TRANSPORT_RC = 0;
    /** Service id of port 0 in the TCP port space of rdma_cm. */
    public static final long TCP_SERVICE = 0x0000_0000_0106_0000L;
    /** Where private data starts. */
    public static final int PRIVATE_DATA = 140;

    private static final int SERVICE_ID = 8;
    private static final int CA_GUID = 16;
    private static final int QPN = 32;
    private static final int RESPONDER_RESOURCES = 35;
    private static final int INITIATOR_DEPTH = 39;
    private static final int REMOTE_RESPONSE = 43;
    private static final int STARTING_PSN = 44;
    private static final int LOCAL_RESPONSE = 47;
    private static final int PKEY = 48;
    private static final int MTU = 50;
    private static final int CM_RETRIES = 51;
    private static final int LIDS = 52;
    private static final int LOCAL_GID = 56;
    private static final int REMOTE_GID = 72;
    private static final int FLOW_LABEL = 88;
    private static final int TRAFFIC_CLASS = 92;
    private static final int HOP_LIMIT = 93;
    private static final int ACK_TIMEOUT = 95;
    private static final int PERMISSIVE_LIDS = 0xffff_ffff;
    private static final int MAX_CM_RETRIES = 15;

    private CmReq()
    {
    }

    /** Writes ids and queue pair numbers, and the constants: default P_Key, RC, permissive LIDs, 15 CM retries. */
    public static void writeIdentity(
        final UnsafeBuffer buffer,
        final int body,
        final int commId,
        final long serviceId,
        final long caGuid,
        final int qpn,
        final int startingPsn)
    {
        buffer.putInt(body, commId, ByteOrder.BIG_ENDIAN);
        buffer.putLong(body + SERVICE_ID, serviceId, ByteOrder.BIG_ENDIAN);
        buffer.putLong(body + CA_GUID, caGuid, ByteOrder.BIG_ENDIAN);
        Uint24.put(buffer, body + QPN, qpn);
        Uint24.put(buffer, body + STARTING_PSN, startingPsn);
        buffer.putShort(body + PKEY, (short) Bth.DEFAULT_PKEY, ByteOrder.BIG_ENDIAN);
        buffer.putInt(body + LIDS, PERMISSIVE_LIDS, ByteOrder.BIG_ENDIAN);
        buffer.putByte(body + CM_RETRIES, (byte) (MAX_CM_RETRIES << 4));
    }

    /** Writes the numbers that the acceptor's queue pair takes over; codes as on the wire. */
    public static void writeTransport(
        final UnsafeBuffer buffer,
        final int body,
        final int mtuCode,
        final int retryCount,
        final int rnrRetryCount,
        final int ackTimeout,
        final boolean flowControl)
    {
        buffer.putByte(body + MTU, (byte) ((mtuCode << 4) | (rnrRetryCount & 7)));
        final int local = buffer.getByte(body + LOCAL_RESPONSE) & 0xf8;
        buffer.putByte(body + LOCAL_RESPONSE, (byte) (local | (retryCount & 7)));
        buffer.putByte(body + ACK_TIMEOUT, (byte) (ackTimeout << 3));
        final int remote = buffer.getByte(body + REMOTE_RESPONSE) & 0xf8;
        buffer.putByte(body + REMOTE_RESPONSE, (byte) (remote | (flowControl ? 1 : 0)));
    }

    /** Writes READ and atomic resources: what the sender accepts, and what it will have open. */
    public static void writeReadResources(
        final UnsafeBuffer buffer, final int body, final int responderResources, final int initiatorDepth)
    {
        buffer.putByte(body + RESPONDER_RESOURCES, (byte) responderResources);
        buffer.putByte(body + INITIATOR_DEPTH, (byte) initiatorDepth);
    }

    /** Writes both CM response time-outs, as {@link AckTimeout} codes. */
    public static void writeResponseTimeouts(
        final UnsafeBuffer buffer, final int body, final int localCode, final int remoteCode)
    {
        final int remote = buffer.getByte(body + REMOTE_RESPONSE) & 7;
        buffer.putByte(body + REMOTE_RESPONSE, (byte) ((remoteCode << 3) | remote));
        final int local = buffer.getByte(body + LOCAL_RESPONSE) & 7;
        buffer.putByte(body + LOCAL_RESPONSE, (byte) ((localCode << 3) | local));
    }

    /** Writes the primary path. */
    public static void writePath(
        final UnsafeBuffer buffer,
        final int body,
        final Gid local,
        final Gid remote,
        final int flowLabel,
        final int trafficClass,
        final int hopLimit)
    {
        local.write(buffer, body + LOCAL_GID);
        remote.write(buffer, body + REMOTE_GID);
        buffer.putInt(body + FLOW_LABEL, flowLabel << 12, ByteOrder.BIG_ENDIAN);
        buffer.putByte(body + TRAFFIC_CLASS, (byte) trafficClass);
        buffer.putByte(body + HOP_LIMIT, (byte) hopLimit);
    }

    /** Service id: port space and port. */
    public static long serviceId(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getLong(body + SERVICE_ID, ByteOrder.BIG_ENDIAN);
    }

    /** The sender's CA GUID; with its comm id it tells duplicates from new requests. */
    public static long caGuid(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getLong(body + CA_GUID, ByteOrder.BIG_ENDIAN);
    }

    /** The sender's queue pair. */
    public static int qpn(final UnsafeBuffer buffer, final int body)
    {
        return Uint24.get(buffer, body + QPN);
    }

    /** READs and atomics that the sender accepts. */
    public static int responderResources(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + RESPONDER_RESOURCES) & 0xff;
    }

    /** READs and atomics that the sender will have open. */
    public static int initiatorDepth(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + INITIATOR_DEPTH) & 0xff;
    }

    /** Code of the time in which the sender expects an answer from the acceptor's manager. */
    public static int remoteResponseTimeout(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + REMOTE_RESPONSE) >> 3 & 0x1f;
    }

    /** Transport type, {@link #TRANSPORT_RC} or another that is refused. */
    public static int transportType(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + REMOTE_RESPONSE) >> 1 & 3;
    }

    /** Whether the sender's responder generates credits. */
    public static boolean flowControl(final UnsafeBuffer buffer, final int body)
    {
        return (buffer.getByte(body + REMOTE_RESPONSE) & 1) != 0;
    }

    /** PSN that the acceptor must use first. */
    public static int startingPsn(final UnsafeBuffer buffer, final int body)
    {
        return Uint24.get(buffer, body + STARTING_PSN);
    }

    /** Code of the acceptor's REP retransmit interval. */
    public static int localResponseTimeout(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + LOCAL_RESPONSE) >> 3 & 0x1f;
    }

    /** Retry count for the acceptor's queue pair. */
    public static int retryCount(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + LOCAL_RESPONSE) & 7;
    }

    /** Partition key. */
    public static int pkey(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getShort(body + PKEY, ByteOrder.BIG_ENDIAN) & 0xffff;
    }

    /** Path MTU code; see {@link Packets#isMtuCode}. */
    public static int mtuCode(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + MTU) >> 4 & 0xf;
    }

    /** RNR retry count for the acceptor's queue pair. */
    public static int rnrRetryCount(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + MTU) & 7;
    }

    /** How often the acceptor may repeat its REP. */
    public static int maxCmRetries(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + CM_RETRIES) >> 4 & 0xf;
    }

    /** The sender's address: where every answer goes. */
    public static Gid localGid(final UnsafeBuffer buffer, final int body)
    {
        return Gid.read(buffer, body + LOCAL_GID);
    }

    /** The acceptor's address as the sender knows it. */
    public static Gid remoteGid(final UnsafeBuffer buffer, final int body)
    {
        return Gid.read(buffer, body + REMOTE_GID);
    }

    /** Flow label, 20 bits; decides the UDP source port. */
    public static int flowLabel(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getInt(body + FLOW_LABEL, ByteOrder.BIG_ENDIAN) >>> 12;
    }

    /** Traffic class for the acceptor's packets. */
    public static int trafficClass(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + TRAFFIC_CLASS) & 0xff;
    }

    /** Hop limit. */
    public static int hopLimit(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + HOP_LIMIT) & 0xff;
    }

    /** ACK time-out code for the acceptor's queue pair. */
    public static int ackTimeout(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getByte(body + ACK_TIMEOUT) >> 3 & 0x1f;
    }
}
