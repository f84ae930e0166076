package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.wire.CmIds;
import io.gannet.rdma.roce.wire.Gid;
import java.util.Collection;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The connections of an agent that are not over, by own id, and how many of them a peer has begun and not finished.
 */
final class CmTable
{
    private final CmIdentifiers identifiers;
    private final Int2ObjectHashMap<CmConnection> connections = new Int2ObjectHashMap<>();
    private int halfOpen;

    CmTable(final CmIdentifiers identifiers)
    {
        this.identifiers = identifiers;
    }

    int size()
    {
        return connections.size();
    }

    Collection<CmConnection> all()
    {
        return connections.values();
    }

    /** Connections that a peer has asked for and that are not established yet. */
    int halfOpen()
    {
        return halfOpen;
    }

    /** The connection with that own id, or null. */
    CmConnection get(final int localId)
    {
        return connections.get(localId);
    }

    /** Adds a connection in its first state. */
    void add(final CmConnection connection)
    {
        connections.put(connection.localId, connection);
        halfOpen += connection.state == CmState.REQ_RECEIVED ? 1 : 0;
    }

    /** A random id that no connection has. */
    int unusedId()
    {
        int id = identifiers.commId();
        while (id == 0 || connections.containsKey(id))
        {
            id = identifiers.commId();
        }
        return id;
    }

    /** The connection that both ids and the sender's address name. */
    CmConnection find(final Gid from, final UnsafeBuffer buffer, final int body)
    {
        final CmConnection connection = connections.get(CmIds.remote(buffer, body));
        return connection != null && connection.remoteId == CmIds.local(buffer, body) &&
            connection.peer.equals(from) ? connection : null;
    }

    /** The connection that the peer knows by that id, or null. */
    CmConnection findByRemote(final long guid, final int remoteId)
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

    /** Its peer has finished, or will not; before its state changes. */
    void leaveHalfOpen(final CmConnection connection)
    {
        if (isHalfOpen(connection))
        {
            halfOpen--;
        }
    }

    /** Whether a peer has asked for it and it is not established yet. */
    static boolean isHalfOpen(final CmConnection connection)
    {
        return connection.state == CmState.REQ_RECEIVED || connection.state == CmState.REP_SENT;
    }

    /** It is over. */
    void close(final CmConnection connection)
    {
        leaveHalfOpen(connection);
        connection.state = CmState.CLOSED;
        connections.remove(connection.localId);
    }
}
