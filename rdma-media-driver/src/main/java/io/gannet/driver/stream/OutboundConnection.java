package io.gannet.driver.stream;

import java.net.InetSocketAddress;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.RingLayout;

/**
 * A publication's connection to one host, made again and again as long as the publication lives.
 * <pre>
 *   WAITING - RESOLVING - CONNECTING - ACTIVE - ENDING - WAITING ...       - CLOSED
 *      ^          |           |
 *      +----------+-----------+  refused, unreachable, too late
 * </pre>
 * The subscriber's gate is entered when the host has accepted, stays over failures, and leaves when the host says that
 * the image has ended, when the image timeout is over, or with the publication; always after the queue pair that could
 * write it is closed. For the control thread alone.
 */
final class OutboundConnection implements CmEventOwner
{
    private static final int NONE = -1;
    /** Part of the retry interval after which a host that is not ready yet is asked again. */
    private static final int SOON = 16;

    private enum State
    {
        WAITING, RESOLVING, CONNECTING, ACTIVE, ENDING, CLOSED
    }

    private final ReplicationContext context;
    private final OutboundStream stream;
    private final InetSocketAddress destination;
    private State state = State.WAITING;
    private long retryAt;
    private long deadline;
    private int generation;
    private CmId id;
    private QpAttributes attributes;
    private QueuePair queuePair;
    private MemoryRegion cellRegion;
    private ConnectionMemory memory;
    private OutboundReplica replica;
    private int entry = NONE;
    private long consumed;
    private long sent;
    private long lostAt;
    private StreamFailure lostFor;
    private int lastRefusal;
    private long endPosition = Long.MAX_VALUE;
    private boolean stopping;

    OutboundConnection(
        final ReplicationContext context, final OutboundStream stream, final InetSocketAddress destination)
    {
        this.context = context;
        this.stream = stream;
        this.destination = destination;
        retryAt = context.now();
    }

    int doWork()
    {
        return switch (state)
        {
            case WAITING -> whileWaiting(context.now());
            case RESOLVING, CONNECTING ->
            {
                final boolean late = context.now() - deadline >= 0;
                yield late || isPointless() ? retry(late ? context.settings.retryInterval() : 0) : 0;
            }
            case ACTIVE -> stream.dropsSlow() && isTooSlow() ? endReplica(FailureKind.TOO_SLOW) : 0;
            case ENDING, CLOSED -> 0;
        };
    }

    private int whileWaiting(final long now)
    {
        if (entry != NONE && (stopping || now - lostAt > context.settings.imageTimeout()))
        {
            leave();
        }
        if (isPointless())
        {
            state = State.CLOSED;
            return 1;
        }
        return now - retryAt >= 0 ? resolve() : 0;
    }

    /** Whether there is nothing left that a connection could bring. */
    private boolean isPointless()
    {
        return stopping || (endPosition != Long.MAX_VALUE && entry == NONE);
    }

    /**
     * Whether the subscriber is three quarters of the window behind. What the sender has not looked at yet counts too.
     */
    private boolean isTooSlow()
    {
        final var ring = stream.ring();
        final long produced = stream.producedPosition();
        final long position = stream.membership().list().position(entry);
        return produced - position > RingLayout.window(ring.kind(), ring.capacity()) / 4 * 3L;
    }

    private int resolve()
    {
        state = State.RESOLVING;
        deadline = context.now() + context.settings.connectTimeout();
        try
        {
            id = context.device.connectionManager().createId();
            id.context(this);
            id.resolve(destination, (int) (context.settings.connectTimeout() / 1_000_000));
        }
        catch (final RdmaException ex)
        {
            onProblem(ex.getMessage());
        }
        return 1;
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
            case REJECTED -> onRejected(SetupRefusal.decode(event.privateData()));
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
        generation++;
        try
        {
            attributes = context.attributes(context.senderQueues, context.settings.sendDepth(), 1);
            queuePair = id.createQueuePair(stream.domain(), attributes);
            id.connect(context.settings.parameters(), request().encode());
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
            entry != NONE,
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
        try
        {
            final SetupReply reply = SetupReply.decode(event.privateData(), generation);
            checkPosition(reply);
            start(reply);
        }
        catch (final SetupException | RdmaException ex)
        {
            onProblem(ex.getMessage());
        }
    }

    private void checkPosition(final SetupReply reply)
    {
        final long received = reply.receivedPosition();
        if (entry == NONE ? received != SetupReply.NEW_IMAGE : received < consumed || received > sent)
        {
            throw new SetupException(SetupRefusal.MALFORMED, destination + " has received up to " + received +
                ", and this stream has " + (entry == NONE ? "not started there" : consumed + " to " + sent));
        }
    }

    private void start(final SetupReply reply)
    {
        final long now = context.now();
        final boolean resumed = entry != NONE;
        final var list = stream.membership().list();
        if (!resumed)
        {
            entry = stream.join();
            consumed = list.position(entry);
            sent = consumed;
            lostAt = now;
        }
        final long start = resumed ? reply.receivedPosition() : consumed;
        final long cellAddress = list.positionAddress(entry);
        final var ringMemory = stream.ring().memory();
        FeedbackCell.reset(ringMemory, cellAddress);
        cellRegion = stream.domain().register(
            cellAddress, FeedbackCell.LENGTH, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        memory = new ConnectionMemory(stream.domain(), OutboundMessages.SLOTS, ControlMessage.LENGTH);
        replica = new OutboundReplica(
            stream.ring(),
            queuePair,
            context.settings,
            new ImageTarget(reply.imageAddress(), reply.rkey()),
            new FeedbackCell(ringMemory, cellAddress, consumed, reply.credits(), now),
            new OutboundMessages(memory, generation, start, cellAddress, cellRegion.rkey()),
            stream.senderGate(),
            context.senderIndexes.take(),
            stream.region().lkey(),
            start,
            () -> context.inbox.add(this::onEnded),
            now);
        state = State.ACTIVE;
        lastRefusal = 0;
        context.sender.add(replica);
        if (!resumed)
        {
            context.listener.onReplicaStarted(stream, destination, start);
        }
        if (endPosition != Long.MAX_VALUE)
        {
            context.sender.endStream(replica, endPosition);
        }
    }

    private void onRejected(final int refusal)
    {
        if (state == State.ACTIVE || state == State.ENDING)
        {
            onLost(CmEventType.REJECTED);
            return;
        }
        if (refusal == SetupRefusal.NO_SUCH_IMAGE && entry != NONE)
        {
            closeConnection();
            state = State.WAITING;
            leave();
        }
        final boolean soon = refusal == SetupRefusal.NOT_READY || refusal == SetupRefusal.NO_SUCH_IMAGE;
        if (refusal != lastRefusal && !soon && refusal != SetupRefusal.NO_SUBSCRIBER)
        {
            context.listener.onError("cannot connect to " + destination + ": " + SetupRefusal.describe(refusal));
        }
        lastRefusal = refusal;
        retry(soon ? context.settings.retryInterval() / SOON : context.settings.retryInterval());
    }

    private void onLost(final CmEventType type)
    {
        switch (state)
        {
            case ACTIVE -> endReplica(FailureKind.DISCONNECTED);
            case RESOLVING, CONNECTING ->
            {
                if (type == CmEventType.DEVICE_REMOVAL)
                {
                    context.listener.onError(context.device.name() + " was removed");
                }
                retry(context.settings.retryInterval());
            }
            default ->
            {
            }
        }
    }

    private void onProblem(final String message)
    {
        context.listener.onError("cannot connect to " + destination + ": " + message);
        retry(context.settings.retryInterval());
    }

    private int retry(final long delay)
    {
        closeConnection();
        state = State.WAITING;
        retryAt = context.now() + delay;
        return 1;
    }

    private int endReplica(final FailureKind reason)
    {
        state = State.ENDING;
        context.sender.end(replica, reason);
        return 1;
    }

    /** The sender has stopped with the connection. */
    void onEnded()
    {
        final StreamFailure failure = replica.failure();
        consumed = replica.consumed();
        sent = replica.sent();
        lostAt = context.now();
        lostFor = failure;
        retry(0);
        if (failure.kind() == FailureKind.END_OF_STREAM || failure.kind() == FailureKind.TOO_SLOW)
        {
            leave();
        }
        else if (!stopping)
        {
            context.listener.onError("connection to " + destination + " ended at " + sent + ": " + failure);
        }
    }

    private void leave()
    {
        if (entry != NONE)
        {
            stream.leave(entry);
            entry = NONE;
            context.listener.onReplicaEnded(stream, destination, consumed, lostFor);
        }
    }

    private void closeConnection()
    {
        if (replica != null)
        {
            context.senderIndexes.free(replica.workBase());
            replica = null;
        }
        if (queuePair != null)
        {
            queuePair.close();
            queuePair = null;
        }
        if (attributes != null)
        {
            context.release(context.senderQueues, attributes);
            attributes = null;
        }
        if (cellRegion != null)
        {
            cellRegion.close();
            cellRegion = null;
        }
        if (memory != null)
        {
            memory.close();
            memory = null;
        }
        if (id != null)
        {
            id.close();
            id = null;
        }
    }

    void end(final long position)
    {
        endPosition = position;
        if (state == State.ACTIVE)
        {
            context.sender.endStream(replica, position);
        }
    }

    void stop()
    {
        stopping = true;
        lostFor = new StreamFailure(FailureKind.CLOSED, 0);
        if (state == State.ACTIVE)
        {
            endReplica(FailureKind.CLOSED);
        }
    }

    boolean isClosed()
    {
        return state == State.CLOSED;
    }

    /** {@return the connection that is served at present, or null} */
    OutboundReplica replica()
    {
        return replica;
    }
}
