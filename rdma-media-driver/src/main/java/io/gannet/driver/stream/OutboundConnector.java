package io.gannet.driver.stream;

import java.net.InetSocketAddress;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.RdmaException;

/**
 * A connection that the publication's driver makes: to the one endpoint of a channel. For the control thread alone.
 */
final class OutboundConnector extends OutboundConnection
{
    /** Part of the retry interval after which a host that is not ready yet is asked again. */
    private static final int SOON = 16;

    private final InetSocketAddress destination;
    private int attempt;
    private long retryAt;
    private int lastRefusal;

    OutboundConnector(
        final ReplicationContext context, final OutboundStream stream, final InetSocketAddress destination)
    {
        super(context, stream, destination);
        this.destination = destination;
        retryAt = context.now();
        generation = Generation.before(context.life, context.nextConnector());
    }

    @Override
    int whileUnconnected(final long now)
    {
        if (now - retryAt < 0)
        {
            return 0;
        }
        state = State.RESOLVING;
        attempts.begin(now);
        final int number = ++attempt;
        context.lookUp(destination, (address, failure) -> onLookedUp(number, address, failure));
        return 1;
    }

    private void onLookedUp(final int number, final InetSocketAddress address, final Throwable failure)
    {
        if (state != State.RESOLVING || number != attempt)
        {
            return;
        }
        if (failure != null)
        {
            onProblem(failure.getMessage());
        }
        else
        {
            peer(address);
            resolve(address);
        }
    }

    @Override
    void onClosed(final long delay)
    {
        retryAt = context.now() + delay;
    }

    private void resolve(final InetSocketAddress address)
    {
        try
        {
            id = context.device.connectionManager().createId();
            id.context(this);
            id.resolve(address, attempts.timeoutMillis());
        }
        catch (final RdmaException ex)
        {
            onProblem(ex.getMessage());
        }
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
            case ROUTE_RESOLVED -> connect();
            case ESTABLISHED -> onEstablished(event);
            case REJECTED -> onRejected(SetupRefusal.decode(event.privateData(), generation));
            case TIMEWAIT_EXIT, ADDR_CHANGE, CONNECT_REQUEST ->
            {
            }
            default -> onLost(event.type());
        }
    }

    private void connect()
    {
        if (state != State.RESOLVING)
        {
            return;
        }
        state = State.CONNECTING;
        generation = Generation.next(generation);
        try
        {
            createQueuePair();
            id.connect(stream.settings().parameters(), request().encode());
        }
        catch (final RdmaException ex)
        {
            onProblem(ex.getMessage());
        }
    }

    private SetupRequest request()
    {
        final var description = stream.ring().description();
        return new SetupRequest(
            SetupRequest.VERSION,
            isJoined() && !isAnew(),
            description.streamId(),
            description.sessionId(),
            description.capacity(),
            generation,
            stream.publicationId());
    }

    private void onEstablished(final CmEvent event)
    {
        if (state != State.CONNECTING)
        {
            return;
        }
        attempts.answered(context.now());
        try
        {
            final SetupReply reply = SetupReply.decode(event.privateData(), generation);
            checkPosition(reply.receivedPosition());
            checkRoom();
            start(new ImageTarget(reply.imageAddress(), reply.rkey()), reply.credits(), reply.receivedPosition());
            lastRefusal = 0;
        }
        catch (final SetupException | RdmaException ex)
        {
            onProblem(ex.getMessage());
        }
    }

    private void onRejected(final int refusal)
    {
        attempts.answered(context.now());
        if (state == State.ACTIVE || state == State.ENDING)
        {
            onLost(CmEventType.REJECTED);
            return;
        }
        final boolean gone = refusal == SetupRefusal.NO_SUCH_IMAGE || refusal == SetupRefusal.BROKEN_OFF ||
            refusal == SetupRefusal.UNKNOWN_IMAGE;
        final boolean unread = refusal == SetupRefusal.UNKNOWN_IMAGE && isUnread();
        if (gone && isJoined() && !unread)
        {
            closeConnection();
            state = State.WAITING;
            imageEnded(refusal == SetupRefusal.BROKEN_OFF ? FailureKind.BROKEN_OFF : FailureKind.CLOSED);
            leave();
        }
        if (unread || (refusal == SetupRefusal.NOT_STARTED && isJoined()))
        {
            startAnew();
        }
        final boolean soon = gone || refusal == SetupRefusal.NOT_READY || refusal == SetupRefusal.NOT_STARTED;
        if (refusal != lastRefusal && !soon && refusal != SetupRefusal.NO_SUBSCRIBER)
        {
            context.listener.onError(
                "cannot connect to " + AddressText.of(destination) + ": " + SetupRefusal.describe(refusal));
        }
        lastRefusal = refusal;
        retry(soon ? context.settings.retryInterval() / SOON : context.settings.retryInterval());
    }
}
