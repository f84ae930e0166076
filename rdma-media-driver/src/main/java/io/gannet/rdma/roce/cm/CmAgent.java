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
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The connection manager of one address: sends, answers and repeats messages, and keeps the connections. A message that
 * fits no connection makes no state, and is taken only from the address of the connection's peer.
 */
public final class CmAgent
{
    /** Connections that were asked for and are not established yet, at most. */
    public static final int MAX_HALF_OPEN = 256;

    private static final long FIRST_REPEAT = 250_000_000L;
    private static final long LONGEST_REPEAT = 4_000_000_000L;
    private static final int MAX_REPEATS = 15;
    private static final int DREQ_REPEATS = 5;
    private static final long CHECK_INTERVAL = 1_000_000L;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final Gid local;
    private final int mtuCode;
    private final CmIdentifiers identifiers;
    private final CmSink sink;
    private final CmHandler handler;
    private final Counters counters;
    private final RequestCheck check;
    private final Int2ObjectHashMap<CmConnection> connections = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Object> listeners = new Int2ObjectHashMap<>();
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[Mad.SIZE]);
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private int halfOpen;
    private boolean started;
    private long nextCheck;

    /**
     * Makes an agent.
     *
     * @param mtuCode largest path MTU that is offered and accepted.
     */
    public CmAgent(
        final Gid local,
        final int mtuCode,
        final CmIdentifiers identifiers,
        final CmSink sink,
        final CmHandler handler,
        final Counters counters)
    {
        this.local = local;
        this.mtuCode = mtuCode;
        this.identifiers = identifiers;
        this.sink = sink;
        this.handler = handler;
        this.counters = counters;
        check = new RequestCheck(local, mtuCode);
    }

    /** Connections that are not over. */
    public int size()
    {
        return connections.size();
    }

    /**
     * Takes requests for a port.
     *
     * @return false if somebody does already.
     */
    public boolean listen(final int port, final Object context)
    {
        return listeners.putIfAbsent(port, context) == null;
    }

    /** Whether somebody takes requests for a port. */
    public boolean isListening(final int port)
    {
        return listeners.containsKey(port);
    }

    /** Ends listening; connections stay. */
    public void unlisten(final int port)
    {
        listeners.remove(port);
    }

    /** Asks a peer. {@code privateData} has at most 56 bytes. */
    public CmConnection request(
        final Gid peer,
        final int peerPort,
        final int localPort,
        final CmOffer offer,
        final DirectBuffer privateData,
        final long now)
    {
        final CmConnection connection = new CmConnection(true, unusedId(), peer, peerPort);
        connection.own = offer;
        connection.mtuCode = mtuCode;
        connection.transactionId = identifiers.transactionId();
        connection.trafficClass = offer.trafficClass();
        connection.flowLabel = (localPort * 31 + peerPort) & 0xf_ffff;
        connection.state = CmState.REQ_SENT;
        connections.put(connection.localId, connection);
        CmMessages.req(connection.message, connection, local, localPort, identifiers.caGuid(), privateData);
        sendAndAwait(connection, now, MAX_REPEATS);
        return connection;
    }

    /** Agrees to a request; the queue pair must be ready. {@code privateData} has at most 196 bytes. */
    public void accept(
        final CmConnection connection, final CmOffer offer, final DirectBuffer privateData, final long now)
    {
        connection.own = offer;
        connection.state = CmState.REP_SENT;
        CmMessages.rep(connection.message, connection, identifiers.caGuid(), privateData);
        sendAndAwait(connection, now, connection.repeatsLeft);
    }

    /** Refuses a request. {@code privateData} has at most 148 bytes. */
    public void reject(final CmConnection connection, final DirectBuffer privateData)
    {
        refuse(connection, CmRej.OF_REQ, CmRej.CONSUMER, privateData);
    }

    /** Ends an established connection; the handler is told once the peer agrees. Else does nothing. */
    public void disconnect(final CmConnection connection, final long now)
    {
        if (connection.state == CmState.ESTABLISHED || connection.state == CmState.REP_SENT)
        {
            leaveHalfOpen(connection);
            connection.state = CmState.DREQ_SENT;
            CmMessages.dreq(connection.message, connection, identifiers.transactionId());
            sendAndAwait(connection, now, DREQ_REPEATS);
        }
    }

    /** Ends a connection in any state; the handler hears nothing of it any more. */
    public void abandon(final CmConnection connection, final long now)
    {
        connection.detached = true;
        switch (connection.state)
        {
            case REQ_SENT ->
            {
                CmMessages.rej(
                    reply, connection.transactionId, connection.localId, connection.remoteId, CmRej.OF_NONE,
                    CmRej.TIMEOUT, Long.BYTES);
                reply.putLong(Mad.BODY + CmRej.INFO, identifiers.caGuid(), ByteOrder.BIG_ENDIAN);
                sink.send(connection.peer, reply);
                close(connection);
            }
            case REQ_RECEIVED -> refuse(connection, CmRej.OF_REQ, CmRej.CONSUMER, EMPTY);
            case ESTABLISHED, REP_SENT -> disconnect(connection, now);
            default ->
            {
                // DREQ_SENT goes on repeating; CLOSED is over
            }
        }
    }

    /**
     * Takes a datagram.
     *
     * @param from the address that it came from.
     * @param mad  offset of the MAD in {@code buffer}; 256 bytes are there.
     */
    public void onMad(final Gid from, final UnsafeBuffer buffer, final int mad, final long now)
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
            case Mad.RTU -> onRtu(find(from, buffer, body));
            case Mad.MRA -> onMra(find(from, buffer, body), buffer, body, now);
            case Mad.REJ -> onRej(from, buffer, body);
            case Mad.DREQ -> onDreq(from, buffer, mad);
            case Mad.DREP -> onDrep(find(from, buffer, body));
            default -> false;
        };
        if (!used)
        {
            counters.increment(Counter.DROP_CM);
        }
    }

    /** Repeats what is due. */
    public void onTime(final long now)
    {
        if (started && now - nextCheck < 0)
        {
            return;
        }
        started = true;
        nextCheck = now + CHECK_INTERVAL;
        List<CmConnection> due = null;
        for (final CmConnection connection : connections.values())
        {
            if ((connection.state == CmState.REP_SENT && handler.hasHeard(connection)) ||
                (isWaiting(connection) && now - connection.deadline >= 0))
            {
                due = due == null ? new ArrayList<>() : due;
                due.add(connection);
            }
        }
        if (due != null)
        {
            due.forEach(connection -> onDue(connection, now));
        }
    }

    private void onDue(final CmConnection connection, final long now)
    {
        if (connection.state == CmState.REP_SENT && handler.hasHeard(connection))
        {
            onRtu(connection);
            return;
        }
        if (connection.repeatsLeft > 0)
        {
            connection.repeatsLeft--;
            connection.interval = Math.min(2 * connection.interval, LONGEST_REPEAT);
            connection.deadline = now + connection.interval;
            sink.send(connection.peer, connection.message);
            return;
        }
        final boolean disconnecting = connection.state == CmState.DREQ_SENT;
        close(connection);
        if (!connection.detached)
        {
            if (disconnecting)
            {
                handler.onDisconnected(connection, true);
            }
            else
            {
                handler.onUnreachable(connection);
            }
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
        for (final CmConnection connection : connections.values())
        {
            if (!connection.connector && connection.remoteGuid == guid && connection.peer.equals(from))
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
        if (halfOpen >= MAX_HALF_OPEN)
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
            new CmConnection(false, unusedId(), from, RdmaCmHeader.sourcePort(buffer, header));
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
        connections.put(connection.localId, connection);
        halfOpen++;
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

    private boolean onRtu(final CmConnection connection)
    {
        if (connection == null || connection.connector)
        {
            return false;
        }
        if (connection.state == CmState.REP_SENT)
        {
            leaveHalfOpen(connection);
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
        if (isWaiting(connection))
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
            connection = findByRemote(
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
                close(connection);
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
        final CmConnection connection = find(from, buffer, body);
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
        close(connection);
        if (!connection.detached)
        {
            handler.onDisconnected(connection, false);
        }
    }

    private void refuse(
        final CmConnection connection, final int message, final int reason, final DirectBuffer privateData)
    {
        CmMessages.rej(
            reply, connection.transactionId, connection.localId, connection.remoteId, message, reason, 0);
        reply.putBytes(Mad.BODY + CmRej.PRIVATE_DATA, privateData, 0, privateData.capacity());
        sink.send(connection.peer, reply);
        close(connection);
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

    private void sendAndAwait(final CmConnection connection, final long now, final int repeats)
    {
        sink.send(connection.peer, connection.message);
        connection.await(now, FIRST_REPEAT, repeats);
    }

    private void close(final CmConnection connection)
    {
        leaveHalfOpen(connection);
        connection.state = CmState.CLOSED;
        connections.remove(connection.localId);
    }

    private void leaveHalfOpen(final CmConnection connection)
    {
        if (connection.state == CmState.REQ_RECEIVED || connection.state == CmState.REP_SENT)
        {
            halfOpen--;
        }
    }

    private static boolean isWaiting(final CmConnection connection)
    {
        return connection.state == CmState.REQ_SENT || connection.state == CmState.REP_SENT ||
            connection.state == CmState.DREQ_SENT;
    }

    /** The connection that both ids and the sender's address name. */
    private CmConnection find(final Gid from, final UnsafeBuffer buffer, final int body)
    {
        final CmConnection connection = connections.get(CmIds.remote(buffer, body));
        return connection != null && connection.remoteId == CmIds.local(buffer, body) &&
            connection.peer.equals(from) ? connection : null;
    }

    private CmConnection findByRemote(final long guid, final int remoteId)
    {
        for (final CmConnection connection : connections.values())
        {
            if (connection.remoteGuid == guid && connection.remoteId == remoteId)
            {
                return connection;
            }
        }
        return null;
    }

    private int unusedId()
    {
        int id = identifiers.commId();
        while (id == 0 || connections.containsKey(id))
        {
            id = identifiers.commId();
        }
        return id;
    }
}
