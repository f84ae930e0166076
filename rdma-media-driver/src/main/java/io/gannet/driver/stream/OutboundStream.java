package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.gannet.rdma.Access;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.ring.CorruptRingException;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;

/**
 * A publication that goes to other hosts: its protection domain with the ring, and a connection to each destination.
 * For the control thread alone.
 */
public final class OutboundStream
{
    private static final int NONE = -1;

    private final ReplicationContext context;
    private final AgentShares.Share<Sender> share;
    private final Ring ring;
    private final Membership membership;
    private final long publicationId;
    private final boolean dropsSlow;
    private final ReplicationSettings settings;
    private final List<OutboundConnection> connections = new ArrayList<>();
    private final List<RemoteSubscriber> subscribers = Collections.unmodifiableList(connections);
    private ProtectionDomain domain;
    private MemoryRegion region;
    private boolean registering = true;
    private int senderEntry = NONE;
    private int gates;
    private boolean closed;
    private long endPosition = Long.MAX_VALUE;

    OutboundStream(
        final ReplicationContext context,
        final Ring ring,
        final Membership membership,
        final long publicationId,
        final boolean dropsSlow,
        final ReplicationSettings settings)
    {
        this.settings = settings;
        this.context = context;
        this.ring = ring;
        this.membership = membership;
        this.publicationId = publicationId;
        this.dropsSlow = dropsSlow;
        share = context.senders.take();
    }

    /** The one sender of all connections of the ring, as they share its gate; and that sender's queues. */
    AgentShares.Share<Sender> share()
    {
        return share;
    }

    /** Registers the ring, which takes long. On the resource thread. */
    OutboundStream register()
    {
        domain = context.device.allocateProtectionDomain();
        try
        {
            region = domain.register(ring.dataAddress(), 2L * ring.capacity(), Access.LOCAL_READ);
        }
        catch (final RuntimeException ex)
        {
            domain.close();
            throw ex;
        }
        return this;
    }

    /** Registering has succeeded, or failed, and then hosts that the driver before served must not gate for ever. */
    void registered(final boolean failed)
    {
        registering = false;
        if (failed)
        {
            connections.forEach(connection -> connection.giveUp(FailureKind.NOT_REGISTERED));
        }
    }

    void connectTo(final InetSocketAddress destination)
    {
        final OutboundConnector connector = new OutboundConnector(context, this, destination);
        connections.add(connector);
        if (!registering && region == null)
        {
            connector.giveUp(FailureKind.NOT_REGISTERED);
        }
    }

    /** {@return whether it is too early to say whether subscribers' drivers can join} */
    boolean isRegistering()
    {
        return registering;
    }

    /** {@return whether subscribers' drivers can join} */
    boolean isJoinable()
    {
        return !registering && region != null && endPosition == Long.MAX_VALUE;
    }

    /** {@return whether a subscribers' driver can join, or come back for the rest of a stream that has ended} */
    boolean isOpenTo(final long driverId)
    {
        return isJoinable() || (!registering && region != null && connections.stream().anyMatch(
            connection -> connection.isJoined() && connection.driverId() == driverId));
    }

    /** {@return the connection of a subscribers' driver, a new one if it has none} */
    OutboundAcceptor acceptor(final InetSocketAddress peer, final long driverId)
    {
        for (final OutboundConnection connection : connections)
        {
            if (connection instanceof final OutboundAcceptor acceptor && acceptor.driverId() == driverId &&
                !acceptor.isClosed())
            {
                return acceptor;
            }
        }
        final OutboundAcceptor acceptor = new OutboundAcceptor(context, this, peer, driverId);
        connections.add(acceptor);
        return acceptor;
    }

    /** A subscribers' driver says that nobody reads an image any more. */
    void leave(final InetSocketAddress peer, final JoinRequest request)
    {
        for (final OutboundConnection connection : connections)
        {
            if (connection instanceof final OutboundAcceptor acceptor && acceptor.driverId() == request.driverId())
            {
                acceptor.goodbye(peer, request);
            }
        }
    }

    int doWork()
    {
        int work = 0;
        if (registering)
        {
            return 0;
        }
        // By index: control makes no garbage in each of its cycles.
        for (int i = 0; i < connections.size(); i++)
        {
            work += connections.get(i).doWork();
        }
        connections.removeIf(OutboundConnection::isClosed);
        return work;
    }

    /**
     * The publication has ended: every host is told, and then its connection ends.
     *
     * @param position behind its last frame.
     */
    void end(final long position)
    {
        endPosition = position;
        connections.forEach(connection -> connection.end(position));
    }

    /** Ends all connections, but keeps the gates of subscribers for the driver that comes next. */
    void suspend()
    {
        endPosition = Math.min(endPosition, Long.MAX_VALUE - 1);
        connections.forEach(OutboundConnection::suspend);
    }

    /**
     * Goes on with the subscribers that the driver before has left in the ring's gating list.
     *
     * @param destination where the one subscriber of a publication without fan-out is, else null.
     */
    void adopt(final InetSocketAddress destination)
    {
        final GatingList list = membership.list();
        OutboundConnector connector = destination == null ? null : new OutboundConnector(context, this, destination);
        for (int entry = 0; entry < RingLayout.MAX_ENTRIES; entry++)
        {
            switch (list.kind(entry))
            {
                case SENDER -> senderEntry = entry;
                case REMOTE ->
                {
                    if (destination == null)
                    {
                        final OutboundAcceptor acceptor = new OutboundAcceptor(
                            context, this, context.listener.hostAt(this, entry), list.clientId(entry));
                        acceptor.adopt(entry);
                        connections.add(acceptor);
                    }
                    else if (connector.isJoined())
                    {
                        membership.leave(entry);
                        continue;
                    }
                    else
                    {
                        connector.adopt(entry);
                    }
                    gates++;
                }
                default ->
                {
                }
            }
        }
        if (connector != null)
        {
            connections.add(connector);
        }
        settleSender();
    }

    /** The sender's own entry is there exactly as long as there are remote ones. */
    private void settleSender()
    {
        if (gates == 0 && senderEntry != NONE)
        {
            membership.leave(senderEntry);
            senderEntry = NONE;
        }
        else if (gates > 0 && senderEntry == NONE)
        {
            senderEntry = membership.join(GatingList.Kind.SENDER, 0, publicationId);
        }
    }

    /** {@return whether the ring has room for one more remote subscriber} */
    boolean hasRoom()
    {
        int unused = 0;
        for (int entry = 0; entry < RingLayout.MAX_ENTRIES; entry++)
        {
            unused += membership.list().kind(entry) == GatingList.Kind.NONE ? 1 : 0;
        }
        return unused >= (senderEntry == NONE ? 2 : 1);
    }

    /** Ends all connections without a word about the stream, as when the driver stops. */
    void stop()
    {
        endPosition = Math.min(endPosition, Long.MAX_VALUE - 1);
        connections.forEach(OutboundConnection::stop);
    }

    /** {@return whether it has ended and all its connections are closed} */
    boolean isDone()
    {
        return !registering && endPosition != Long.MAX_VALUE && connections.isEmpty();
    }

    /** Gives everything back; {@link #isDone()} must be true. */
    void close()
    {
        closed = true;
        context.senders.release(share);
        if (region != null)
        {
            region.close();
            domain.close();
            region = null;
        }
    }

    boolean isClosed()
    {
        return closed;
    }

    /**
     * Enters a remote subscriber, behind the sender's own entry, from which those of a concurrent ring start.
     * {@link #hasRoom()} must be true.
     *
     * @param driverId of a subscribers' driver that joins by itself, else 0.
     * @throws CorruptRingException if the ring has no frames there from which to start.
     */
    int join(final long driverId)
    {
        if (senderEntry == NONE)
        {
            senderEntry = membership.join(GatingList.Kind.SENDER, 0, publicationId);
        }
        gates++;
        try
        {
            return membership.join(GatingList.Kind.REMOTE, driverId, publicationId);
        }
        catch (final CorruptRingException damaged)
        {
            gates--;
            settleSender();
            throw damaged;
        }
    }

    /** Removes a remote subscriber, whose queue pair is closed. */
    void leave(final int entry)
    {
        if (membership.list().kind(entry) != GatingList.Kind.NONE)
        {
            // It is, unless the ring was lost.
            membership.leave(entry);
        }
        gates--;
        settleSender();
    }

    /** {@return a position that producers of a ring have reached or claimed, at most a little behind} */
    static long producedPosition(final Ring ring)
    {
        final int offset = ring.kind() == RingKind.CONCURRENT ? RingLayout.TAIL_OFFSET : RingLayout.COARSE_OFFSET;
        return ring.memory().getLongAcquire(ring.headerAddress() + offset);
    }

    /** {@return address of the sender's own position} */
    long senderGate()
    {
        return membership.list().positionAddress(senderEntry);
    }

    /** {@return the ring that is replicated} */
    public Ring ring()
    {
        return ring;
    }

    /** {@return what names the publication for ever} */
    public long publicationId()
    {
        return publicationId;
    }

    Membership membership()
    {
        return membership;
    }

    ProtectionDomain domain()
    {
        return domain;
    }

    MemoryRegion region()
    {
        return region;
    }

    ReplicationSettings settings()
    {
        return settings;
    }

    boolean dropsSlow()
    {
        return dropsSlow;
    }

    /** {@return the hosts that it goes to, or is to go to} */
    public List<RemoteSubscriber> subscribers()
    {
        return subscribers;
    }
}
