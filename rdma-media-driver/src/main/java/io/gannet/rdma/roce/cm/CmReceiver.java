package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.wire.AckTimeout;
import io.gannet.rdma.roce.wire.CmDreq;
import io.gannet.rdma.roce.wire.CmIds;
import io.gannet.rdma.roce.wire.CmMra;
import io.gannet.rdma.roce.wire.CmRej;
import io.gannet.rdma.roce.wire.CmRep;
import io.gannet.rdma.roce.wire.CmReq;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.RdmaCmHeader;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Takes the messages of peers: checks each against the connection that it names, moves that on, and answers. A message
 * that fits no connection makes no state, and is taken only from the address of the connection's peer.
 */
final class CmReceiver
{
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final Gid local;
    private final CmTable connections;
    private final Int2ObjectHashMap<Object> listeners;
    private final CmSink sink;
    private final CmHandler handler;
    private final Counters counters;
    private final RequestCheck check;
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[Mad.SIZE]);
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    CmReceiver(
        final Gid local,
        final int mtuCode,
        final CmTable connections,
        final Int2ObjectHashMap<Object> listeners,
        final CmSink sink,
        final CmHandler handler,
        final Counters counters)
    {
        this.local = local;
        this.connections = connections;
        this.listeners = listeners;
        this.sink = sink;
        this.handler = handler;
        this.counters = counters;
        check = new RequestCheck(local, mtuCode);
    }

    /**
     * Takes a datagram.
     *
     * @param from the address that it came from.
     * @param mad  offset of the MAD in {@code buffer}; 256 bytes are there.
     */
    void onMad(final Gid from, final UnsafeBuffer buffer, final int mad, final long now)
    {
        if (!Mad.isConnectionManagement(buffer, mad))
        {
            counters.increment(Counter.DROP_MAD);
            return;
        }
        final int body = mad + Mad.BODY;
        final boolean used = switch (Mad.attribute(buffer, mad))
        {
            case Mad.REQ -> onReq(from, buffer, mad);
            case Mad.REP -> onRep(from, buffer, mad);
            case Mad.RTU -> onRtu(connections.find(from, buffer, body));
            case Mad.MRA -> onMra(connections.find(from, buffer, body), buffer, body, now);
            case Mad.REJ -> onRej(from, buffer, body);
            case Mad.DREQ -> onDreq(from, buffer, mad);
            case Mad.DREP -> onDrep(connections.find(from, buffer, body));
            default -> false;
        };
        if (!used)
        {
            counters.increment(Counter.DROP_CM);
        }
    }

    private boolean onReq(final Gid from, final UnsafeBuffer buffer, final int mad)
    {
        final int body = mad + Mad.BODY;
        final int remoteId = CmIds.local(buffer, body);
        final long guid = CmReq.caGuid(buffer, body);
        final int qpn = CmReq.qpn(buffer, body);
        if (!CmReq.localGid(buffer, body).equals(from))
        {
            return false;               // an answer would go to somebody who has not asked
        }
        int halfOpenOfPeer = 0;
        for (final CmConnection connection : connections.all())
        {
            if (connection.connector || !connection.peer.equals(from))
            {
                continue;
            }
            halfOpenOfPeer += CmTable.isHalfOpen(connection) ? 1 : 0;
            if (connection.remoteGuid == guid)
            {
                if (connection.remoteId == remoteId)
                {
                    return onDuplicateReq(connection);
                }
                if (connection.remoteQpn == qpn && connection.state != CmState.DREQ_SENT)
                {
                    rejectRequest(from, buffer, mad, CmRej.STALE_CONNECTION);
                    fall(connection);
                    return true;
                }
            }
        }
        final int port = (int) (CmReq.serviceId(buffer, body) - CmReq.TCP_SERVICE);
        final boolean inPortSpace = (CmReq.serviceId(buffer, body) & -0x1_0000L) == CmReq.TCP_SERVICE;
        final Object context = inPortSpace ? listeners.get(port) : null;
        final int reason = check.refusal(buffer, body, context != null);
        if (reason != RequestCheck.FINE)
        {
            rejectRequest(from, buffer, mad, reason);
            return true;
        }
        if (connections.halfOpen() >= CmAgent.MAX_HALF_OPEN || halfOpenOfPeer >= CmAgent.MAX_HALF_OPEN_OF_PEER)
        {
            counters.increment(Counter.DROP_CM_FLOOD);
            return true;
        }
        open(from, buffer, mad, context);
        return true;
    }

    private boolean onDuplicateReq(final CmConnection connection)
    {
        if (connection.state == CmState.REQ_RECEIVED)
        {
            CmMessages.mra(reply, connection);
            sink.send(connection.peer, reply);
        }
        return true;                    // otherwise REP repeats itself
    }

    private void open(final Gid from, final UnsafeBuffer buffer, final int mad, final Object context)
    {
        final int body = mad + Mad.BODY;
        final int header = body + CmReq.PRIVATE_DATA;
        final CmConnection connection =
            new CmConnection(false, connections.unusedId(), from, RdmaCmHeader.sourcePort(buffer, header));
        connection.state = CmState.REQ_RECEIVED;
        connection.remoteId = CmIds.local(buffer, body);
        connection.remoteGuid = CmReq.caGuid(buffer, body);
        connection.transactionId = Mad.transactionId(buffer, mad);
        connection.remoteQpn = CmReq.qpn(buffer, body);
        connection.sendPsn = CmReq.startingPsn(buffer, body);
        connection.mtuCode = CmReq.mtuCode(buffer, body);
        connection.retryCount = CmReq.retryCount(buffer, body);
        connection.rnrRetry = CmReq.rnrRetryCount(buffer, body);
        connection.ackTimeout = CmReq.ackTimeout(buffer, body);
        connection.trafficClass = CmReq.trafficClass(buffer, body);
        connection.flowLabel = CmReq.flowLabel(buffer, body);
        connection.repeatsLeft = CmReq.maxCmRetries(buffer, body);
        connections.add(connection);
        view.wrap(buffer, header + RdmaCmHeader.SIZE, RdmaCmHeader.USER_DATA_SIZE);
        handler.onRequest(connection, context, view);
    }

    private boolean onRep(final Gid from, final UnsafeBuffer buffer, final int mad)
    {
        final int body = mad + Mad.BODY;
        final CmConnection connection = connections.get(CmIds.remote(buffer, body));
        if (connection == null || !connection.connector || !connection.peer.equals(from))
        {
            return false;
        }
        if (connection.state == CmState.ESTABLISHED && connection.remoteId == CmIds.local(buffer, body))
        {
            sink.send(connection.peer, connection.message);         // our RTU was lost
            return true;
        }
        if (connection.state != CmState.REQ_SENT)
        {
            return false;
        }
        connection.remoteId = CmIds.local(buffer, body);
        connection.remoteGuid = CmRep.caGuid(buffer, body);
        connection.remoteQpn = CmRep.qpn(buffer, body);
        connection.sendPsn = CmRep.startingPsn(buffer, body);
        connection.rnrRetry = CmRep.rnrRetryCount(buffer, body);
        connection.retryCount = connection.own.retryCount();
        connection.ackTimeout = connection.own.ackTimeout();
        if (!handler.onReply(connection))
        {
            refuse(connection, CmRej.OF_REP, CmRej.CONSUMER, EMPTY);
            return true;
        }
        connection.state = CmState.ESTABLISHED;
        CmMessages.rtu(connection.message, connection);
        sink.send(connection.peer, connection.message);
        view.wrap(buffer, body + CmRep.PRIVATE_DATA, CmRep.PRIVATE_DATA_SIZE);
        handler.onEstablished(connection, view);
        return true;
    }

    boolean onRtu(final CmConnection connection)
    {
        if (connection == null || connection.connector)
        {
            return false;
        }
        if (connection.state == CmState.REP_SENT)
        {
            connections.leaveHalfOpen(connection);
            connection.state = CmState.ESTABLISHED;
            handler.onEstablished(connection, EMPTY);
        }
        return true;
    }

    private boolean onMra(
        final CmConnection connection, final UnsafeBuffer buffer, final int body, final long now)
    {
        if (connection == null)
        {
            // an MRA for our REQ is the first message that tells the peer's id
            final CmConnection asked = connections.get(CmIds.remote(buffer, body));
            if (asked == null || asked.state != CmState.REQ_SENT || CmMra.message(buffer, body) != CmMra.OF_REQ)
            {
                return false;
            }
            asked.deadline = now + AckTimeout.nanos(CmMra.serviceTimeout(buffer, body));
            return true;
        }
        if (connection.isWaiting())
        {
            connection.deadline = now + AckTimeout.nanos(CmMra.serviceTimeout(buffer, body));
        }
        return true;
    }

    private boolean onRej(final Gid from, final UnsafeBuffer buffer, final int body)
    {
        CmConnection connection = connections.get(CmIds.remote(buffer, body));
        if (CmRej.reason(buffer, body) == CmRej.TIMEOUT && CmRej.infoLength(buffer, body) == Long.BYTES)
        {
            connection = connections.findByRemote(
                buffer.getLong(body + CmRej.INFO, ByteOrder.BIG_ENDIAN), CmIds.local(buffer, body));
        }
        if (connection == null || !connection.peer.equals(from))
        {
            return false;
        }
        switch (connection.state)
        {
            case REQ_SENT, REQ_RECEIVED, REP_SENT, ESTABLISHED ->
            {
                connections.close(connection);
                if (!connection.detached)
                {
                    view.wrap(buffer, body + CmRej.PRIVATE_DATA, CmRej.PRIVATE_DATA_SIZE);
                    handler.onRejected(connection, CmRej.reason(buffer, body), view);
                }
            }
            case DREQ_SENT -> fall(connection);
            default ->
            {
                return false;
            }
        }
        return true;
    }

    private boolean onDreq(final Gid from, final UnsafeBuffer buffer, final int mad)
    {
        final int body = mad + Mad.BODY;
        final CmConnection connection = connections.find(from, buffer, body);
        if (connection != null && connection.own != null && CmDreq.qpn(buffer, body) != connection.own.qpn())
        {
            return false;
        }
        // unknown ones too: the peer repeats until it is answered
        final int ourId = CmIds.remote(buffer, body);
        final int peersId = CmIds.local(buffer, body);
        CmMessages.drep(reply, Mad.transactionId(buffer, mad), ourId, peersId);
        sink.send(from, reply);
        if (connection != null)
        {
            fall(connection);
        }
        return connection != null;
    }

    private boolean onDrep(final CmConnection connection)
    {
        if (connection == null || connection.state != CmState.DREQ_SENT)
        {
            return false;
        }
        fall(connection);
        return true;
    }

    private void fall(final CmConnection connection)
    {
        connections.close(connection);
        if (!connection.detached)
        {
            handler.onDisconnected(connection, false);
        }
    }

    void refuse(
        final CmConnection connection, final int message, final int reason, final DirectBuffer privateData)
    {
        CmMessages.rej(
            reply, connection.transactionId, connection.localId, connection.remoteId, message, reason, 0);
        reply.putBytes(Mad.BODY + CmRej.PRIVATE_DATA, privateData, 0, privateData.capacity());
        sink.send(connection.peer, reply);
        connections.close(connection);
    }

    private void rejectRequest(final Gid to, final UnsafeBuffer buffer, final int mad, final int reason)
    {
        final boolean withGid = reason == CmRej.INVALID_GID;
        CmMessages.rej(
            reply, Mad.transactionId(buffer, mad), 0, CmIds.local(buffer, mad + Mad.BODY), CmRej.OF_REQ, reason,
            withGid ? Gid.SIZE : 0);
        if (withGid)
        {
            local.write(reply, Mad.BODY + CmRej.INFO);
        }
        sink.send(to, reply);
    }
}
