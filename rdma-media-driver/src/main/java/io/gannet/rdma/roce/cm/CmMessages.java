package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.wire.CmDreq;
import io.gannet.rdma.roce.wire.CmIds;
import io.gannet.rdma.roce.wire.CmMra;
import io.gannet.rdma.roce.wire.CmRej;
import io.gannet.rdma.roce.wire.CmRep;
import io.gannet.rdma.roce.wire.CmReq;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.RdmaCmHeader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the messages with the constants that kernel peers use.
 */
final class CmMessages
{
    /** Code of 4.3 s, as kernels state it for both response time-outs. */
    static final int RESPONSE_TIMEOUT = 20;
    /** Code of 134 ms: a software responder may take that long to acknowledge. */
    static final int ACK_DELAY = 15;
    /** Code of 68 s. */
    static final int SERVICE_TIMEOUT = 24;
    private static final int HOP_LIMIT = 64;

    private CmMessages()
    {
    }

    static void req(
        final UnsafeBuffer mad,
        final CmConnection connection,
        final Gid local,
        final int localPort,
        final long caGuid,
        final DirectBuffer privateData)
    {
        final int body = Mad.BODY;
        final CmOffer own = connection.own;
        Mad.write(mad, 0, Mad.REQ, connection.transactionId);
        CmReq.writeIdentity(
            mad, body, connection.localId, CmReq.TCP_SERVICE + connection.peerPort, caGuid, own.qpn(),
            own.startingPsn());
        CmReq.writeTransport(
            mad, body, connection.mtuCode, own.retryCount(), own.rnrRetry(), own.ackTimeout(), true);
        CmReq.writeResponseTimeouts(mad, body, RESPONSE_TIMEOUT, RESPONSE_TIMEOUT);
        CmReq.writePath(
            mad, body, local, connection.peer, connection.flowLabel, connection.trafficClass, HOP_LIMIT);
        final int header = body + CmReq.PRIVATE_DATA;
        RdmaCmHeader.write(mad, header, localPort, local, connection.peer);
        mad.putBytes(header + RdmaCmHeader.SIZE, privateData, 0, privateData.capacity());
    }

    static void rep(
        final UnsafeBuffer mad, final CmConnection connection, final long caGuid, final DirectBuffer privateData)
    {
        final int body = Mad.BODY;
        final CmOffer own = connection.own;
        Mad.write(mad, 0, Mad.REP, connection.transactionId);
        CmIds.write(mad, body, connection.localId, connection.remoteId);
        CmRep.writeIdentity(mad, body, own.qpn(), own.startingPsn(), caGuid);
        CmRep.writeTransport(mad, body, ACK_DELAY, own.rnrRetry(), true, 0, 0);
        mad.putBytes(body + CmRep.PRIVATE_DATA, privateData, 0, privateData.capacity());
    }

    static void rtu(final UnsafeBuffer mad, final CmConnection connection)
    {
        Mad.write(mad, 0, Mad.RTU, connection.transactionId);
        CmIds.write(mad, Mad.BODY, connection.localId, connection.remoteId);
    }

    static void mra(final UnsafeBuffer mad, final CmConnection connection)
    {
        Mad.write(mad, 0, Mad.MRA, connection.transactionId);
        CmIds.write(mad, Mad.BODY, connection.localId, connection.remoteId);
        CmMra.write(mad, Mad.BODY, CmMra.OF_REQ, SERVICE_TIMEOUT);
    }

    static void rej(
        final UnsafeBuffer mad,
        final long transactionId,
        final int localId,
        final int remoteId,
        final int message,
        final int reason,
        final int infoLength)
    {
        Mad.write(mad, 0, Mad.REJ, transactionId);
        CmIds.write(mad, Mad.BODY, localId, remoteId);
        CmRej.write(mad, Mad.BODY, message, reason, infoLength);
    }

    static void dreq(final UnsafeBuffer mad, final CmConnection connection, final long transactionId)
    {
        Mad.write(mad, 0, Mad.DREQ, transactionId);
        CmIds.write(mad, Mad.BODY, connection.localId, connection.remoteId);
        CmDreq.write(mad, Mad.BODY, connection.remoteQpn);
    }

    static void drep(final UnsafeBuffer mad, final long transactionId, final int localId, final int remoteId)
    {
        Mad.write(mad, 0, Mad.DREP, transactionId);
        CmIds.write(mad, Mad.BODY, localId, remoteId);
    }
}
