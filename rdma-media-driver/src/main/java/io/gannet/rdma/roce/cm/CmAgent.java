package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.wire.CmRej;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Mad;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The connection manager of one address: asks, agrees, refuses, ends, and repeats what is not answered.
 */
public final class CmAgent
{
    /** Connections that were asked for and are not established yet, at most. */
    public static final int MAX_HALF_OPEN = 256;
    /** Of these, how many one address may have asked for, so that a peer that floods leaves room for others. */
    public static final int MAX_HALF_OPEN_OF_PEER = 192;

    private static final long FIRST_REPEAT = 250_000_000L;
    private static final long LONGEST_REPEAT = 4_000_000_000L;
    private static final int MAX_REPEATS = 15;
    private static final int DREQ_REPEATS = 5;
    private static final long CHECK_INTERVAL = 1_000_000L;
    /** Connections looked at in that time; where there are more, all of them are more seldom. */
    private static final int EACH_CHECK = 100;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final Gid local;
    private final int mtuCode;
    private final CmIdentifiers identifiers;
    private final CmSink sink;
    private final CmHandler handler;
    private final CmTable connections;
    private final CmReceiver receiver;
    private final Int2ObjectHashMap<Object> listeners = new Int2ObjectHashMap<>();
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[Mad.SIZE]);
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
        connections = new CmTable(identifiers);
        receiver = new CmReceiver(local, mtuCode, connections, listeners, sink, handler, counters);
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
        final CmConnection connection = new CmConnection(true, connections.unusedId(), peer, peerPort);
        connection.own = offer;
        connection.mtuCode = mtuCode;
        connection.transactionId = identifiers.transactionId();
        connection.trafficClass = offer.trafficClass();
        connection.flowLabel = (localPort * 31 + peerPort) & 0xf_ffff;
        connection.state = CmState.REQ_SENT;
        connections.add(connection);
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
        receiver.refuse(connection, CmRej.OF_REQ, CmRej.CONSUMER, privateData);
    }

    /** Ends an established connection; the handler is told once the peer agrees. Else does nothing. */
    public void disconnect(final CmConnection connection, final long now)
    {
        if (connection.state == CmState.ESTABLISHED || connection.state == CmState.REP_SENT)
        {
            connections.leaveHalfOpen(connection);
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
                connections.close(connection);
            }
            case REQ_RECEIVED -> receiver.refuse(connection, CmRej.OF_REQ, CmRej.CONSUMER, EMPTY);
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
        receiver.onMad(from, buffer, mad, now);
    }

    /** Repeats what is due. */
    public void onTime(final long now)
    {
        if (started && now - nextCheck < 0)
        {
            return;
        }
        started = true;
        nextCheck = now + CHECK_INTERVAL * Math.max(1, connections.size() / EACH_CHECK);
        List<CmConnection> due = null;
        for (final CmConnection connection : connections.all())
        {
            if ((connection.state == CmState.REP_SENT && handler.hasHeard(connection)) ||
                (connection.isWaiting() && now - connection.deadline >= 0))
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
            receiver.onRtu(connection);
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
        connections.close(connection);
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

    private void sendAndAwait(final CmConnection connection, final long now, final int repeats)
    {
        sink.send(connection.peer, connection.message);
        connection.await(now, FIRST_REPEAT, repeats);
    }
}
