package io.gannet.driver.stream;

import java.net.InetSocketAddress;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmId;
import io.gannet.rdma.RdmaException;

/**
 * A connection that a subscribers' driver makes to a fan-out publication, over all its attempts. For the control thread
 * alone.
 */
final class OutboundAcceptor extends OutboundConnection
{
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final long driverId;
    private JoinRequest request = JoinRequest.NONE;
    private boolean leaving;

    OutboundAcceptor(
        final ReplicationContext context,
        final OutboundStream stream,
        final InetSocketAddress peer,
        final long driverId)
    {
        super(context, stream, peer);
        this.driverId = driverId;
    }

    @Override
    long driverId()
    {
        return driverId;
    }

    /**
     * Takes a request of its driver.
     *
     * @return {@link SetupRefusal#UNKNOWN} if it was accepted, else why not.
     * @throws RdmaException if the device cannot; nothing is left of the attempt.
     */
    int join(final CmId connection, final JoinRequest join)
    {
        if (isOutdated(join))
        {
            return SetupRefusal.NOT_READY;
        }
        leaving = false;
        if (isPointless())
        {
            return SetupRefusal.NO_SUCH_PUBLICATION;
        }
        peer(connection.remoteAddress());
        if (state == State.ACTIVE)
        {
            // The driver has given up the old connection, or it would not ask for a new one.
            endReplica(FailureKind.DISCONNECTED);
        }
        if (state == State.ENDING)
        {
            return SetupRefusal.NOT_READY;
        }
        closeConnection();
        state = State.WAITING;
        if (join.receivedPosition() == SetupReply.NEW_IMAGE)
        {
            if (isJoined() && (join.isOfSameImage(request) || (join.isFirst() && isUnread())))
            {
                startAnew();
            }
            else
            {
                // It has one image at a time, so an older one is gone.
                leave();
                if (isPointless())
                {
                    return SetupRefusal.NO_SUCH_PUBLICATION;
                }
            }
        }
        else if (!isJoined())
        {
            return SetupRefusal.NO_SUCH_IMAGE;
        }
        if (!isJoined() && !stream.hasRoom())
        {
            return SetupRefusal.TOO_MANY;
        }
        checkPosition(join.receivedPosition());
        accept(connection, join);
        return SetupRefusal.UNKNOWN;
    }

    /** Whether it is the request of the connection there is, or one before that: it comes late, or twice. */
    private boolean isOutdated(final JoinRequest join)
    {
        return state != State.WAITING && join.isOfSameImage(request) &&
            Generation.isOutdated(join.generation(), generation);
    }

    /** Its driver does not come back with this image; unless it has come with another one meanwhile. */
    void goodbye(final InetSocketAddress from, final JoinRequest last)
    {
        if (!request.equals(JoinRequest.NONE) && !last.isOfSameImage(request))
        {
            return;
        }
        peer(from);
        leaving = true;
        if (state == State.ACTIVE)
        {
            endReplica(FailureKind.DISCONNECTED);
        }
    }

    private void accept(final CmId connection, final JoinRequest join)
    {
        request = join;
        generation = join.generation();
        id = connection;
        id.context(this);
        try
        {
            createQueuePair();
            id.accept(stream.settings().parameters(), NOTHING);
        }
        catch (final RdmaException ex)
        {
            id = null;
            closeConnection();
            throw ex;
        }
        state = State.CONNECTING;
        attempts.begin(context.now());
    }

    @Override
    public void onCmEvent(final CmEvent event)
    {
        if (!event.id().equals(id))
        {
            return;
        }
        switch (event.type())
        {
            case ESTABLISHED -> onEstablished();
            case TIMEWAIT_EXIT, ADDR_CHANGE, CONNECT_REQUEST ->
            {
            }
            default -> onLost(event.type());
        }
    }

    private void onEstablished()
    {
        if (state == State.CONNECTING)
        {
            try
            {
                checkRoom();
                start(new ImageTarget(request.imageAddress(), request.rkey()), request.credits(),
                    request.receivedPosition());
            }
            catch (final SetupException | RdmaException ex)
            {
                onProblem(ex.getMessage());
            }
        }
    }

    @Override
    int whileUnconnected(final long now)
    {
        if (leaving)
        {
            imageEnded(FailureKind.CLOSED);
            leave();
        }
        if (!isJoined())
        {
            state = State.CLOSED;
            return 1;
        }
        return 0;
    }

    @Override
    void onClosed(final long delay)
    {
        // The other side comes again when it wants to.
    }
}
