package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.ring.CorruptRingException;
import io.gannet.ring.GatingList;
import io.gannet.ring.RingLayout;

/**
 * A publication's connection to one host, made again and again as long as the publication lives.
 * <pre>
 *   WAITING - RESOLVING - CONNECTING - ACTIVE - ENDING - WAITING ...       - CLOSED
 *      ^          |           |
 *      +----------+-----------+  refused, unreachable, too late
 * </pre>
 * The subscriber's gate is entered when the connection is established, stays over failures, and leaves when the host
 * says that the image has ended, when the image timeout is over, or with the publication; always after the queue pair
 * that could write it is closed. Which side connects is the subclass's matter. For the control thread alone.
 */
abstract class OutboundConnection implements CmEventOwner, RemoteSubscriber
{
    static final int NONE = -1;

    /** Where it is; an acceptor never resolves. */
    enum State
    {
        WAITING, RESOLVING, CONNECTING, ACTIVE, ENDING, CLOSED
    }

    final ReplicationContext context;
    final OutboundStream stream;
    final Attempts attempts;
    State state = State.WAITING;
    int generation;
    CmId id;
    QueuePair queuePair;
    private InetSocketAddress peer;
    private QpAttributes attributes;
    private MemoryRegion cellRegion;
    private ConnectionMemory memory;
    private final StreamCounters counters = new StreamCounters();
    private OutboundReplica replica;
    private int entry = NONE;
    private long consumed;
    private long sent;
    private long lostAt;
    private StreamFailure lostFor;
    private long endPosition = Long.MAX_VALUE;
    private boolean stopping;
    /** Whether the host has no image yet, though it gates: the last connection ended before it heard of the start. */
    private boolean anew;
    private boolean suspending;
    /** Why it could not be connected, as far as that was told. */
    private final List<String> troubles = new ArrayList<>();

    OutboundConnection(final ReplicationContext context, final OutboundStream stream, final InetSocketAddress peer)
    {
        this.context = context;
        this.stream = stream;
        this.peer = peer;
        attempts = new Attempts(stream.settings().connectTimeout());
    }

    int doWork()
    {
        return switch (state)
        {
            case WAITING -> whileWaiting(context.now());
            case RESOLVING, CONNECTING ->
            {
                final boolean late = attempts.isLate(context.now());
                if (attempts.isTroubling(context.now()))
                {
                    trouble("there is no answer (is a driver running there?)");
                }
                if (late)
                {
                    attempts.unanswered();
                }
                yield late || isPointless() ? retry(late ? context.settings.retryInterval() : 0) : 0;
            }
            case ACTIVE, ENDING, CLOSED -> 0;
        };
    }

    private int whileWaiting(final long now)
    {
        if (entry != NONE && !suspending && (stopping || now - lostAt > stream.settings().imageTimeout()))
        {
            leave();
        }
        if (isPointless())
        {
            state = State.CLOSED;
            return 1;
        }
        return whileUnconnected(now);
    }

    /**
     * Nothing is under way.
     *
     * @return how much was done.
     */
    abstract int whileUnconnected(long now);

    /** The connection was closed; another one may follow after the delay. */
    abstract void onClosed(long delay);

    /** Whether there is nothing left that a connection could bring. */
    final boolean isPointless()
    {
        return stopping || (endPosition != Long.MAX_VALUE && entry == NONE);
    }

    /** {@return of a subscribers' driver that joins by itself, else 0} */
    long driverId()
    {
        return 0;
    }

    /** Makes the queue pair of the identifier. */
    final void createQueuePair()
    {
        attributes = context.attributes(stream.share().queues, context.settings.sendDepth(), 1);
        queuePair = id.createQueuePair(stream.domain(), attributes);
    }

    /** Checks that a new subscriber has a place in the ring. */
    final void checkRoom()
    {
        if (entry == NONE && !stream.hasRoom())
        {
            throw new SetupException(SetupRefusal.TOO_MANY, stream.ring() + " has " +
                (RingLayout.MAX_ENTRIES - 1) + " subscribers, the most that it can have");
        }
    }

    /** Checks what the host says that it has received. */
    final void checkPosition(final long received)
    {
        final boolean fits = (entry == NONE || anew) ?
            received == SetupReply.NEW_IMAGE : (received >= consumed && received <= sent);
        if (!fits)
        {
            throw new SetupException(SetupRefusal.MALFORMED, AddressText.of(peer) + " has received up to " + received +
                ", and this stream has " + (entry == NONE ? "not started there" : consumed + " to " + sent));
        }
    }

    /**
     * Enters the host's gate, if it is new, and lets the sender send.
     *
     * @param received position up to which the host has received, or {@link SetupReply#NEW_IMAGE}.
     */
    final void start(final ImageTarget target, final int credits, final long received)
    {
        final long now = context.now();
        final boolean resumed = entry != NONE;
        final var list = stream.membership().list();
        if (!resumed)
        {
            try
            {
                entry = stream.join(driverId());
            }
            catch (final CorruptRingException damaged)
            {
                retry(context.settings.retryInterval());
                context.listener.onRingDamaged(stream, damaged.getMessage());
                return;
            }
            consumed = list.position(entry);
            sent = consumed;
            lostAt = now;
        }
        final long start = resumed && !anew ? received : consumed;
        anew = false;
        final long cellAddress = list.positionAddress(entry);
        final var ringMemory = stream.ring().memory();
        FeedbackCell.reset(ringMemory, cellAddress);
        cellRegion = stream.domain().register(
            cellAddress, FeedbackCell.LENGTH, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        memory = new ConnectionMemory(
            stream.domain(), OutboundMessages.SLOTS + context.settings.sendDepth(), ControlMessage.LENGTH);
        replica = new OutboundReplica(
            stream.ring(),
            queuePair,
            context.settings,
            target,
            new FeedbackCell(ringMemory, cellAddress, consumed, credits, now),
            new OutboundMessages(memory, generation, start, cellAddress, cellRegion.rkey()),
            stream.senderGate(),
            context.senderIndexes.take(),
            stream.region().lkey(),
            start,
            context.settings.immediate() && context.device.limits().writeWithImm(),
            stream.dropsSlow(),
            counters,
            () -> context.inbox.add(this::onEnded),
            now);
        state = State.ACTIVE;
        troubles.clear();
        counters.reconnects += resumed ? 1 : 0;
        stream.share().agent.add(replica, attributes.sendQueue());
        if (resumed)
        {
            context.listener.onReplicaResumed(stream, peer, start);
        }
        else
        {
            context.listener.onReplicaStarted(stream, peer, start);
        }
        if (endPosition != Long.MAX_VALUE)
        {
            stream.share().agent.endStream(replica, endPosition);
        }
    }

    /** The connection manager says that the connection is over. */
    final void onLost(final CmEventType type)
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
                trouble(type.text());
                attempts.unanswered();
                retry(context.settings.retryInterval());
            }
            default ->
            {
            }
        }
    }

    private void trouble(final String reason)
    {
        if (!troubles.contains(reason))
        {
            troubles.add(reason);
            context.listener.onUnreachable(stream, peer, reason);
        }
    }

    final void onProblem(final String message)
    {
        context.listener.onError("cannot connect to " + AddressText.of(peer) + ": " + message);
        retry(context.settings.retryInterval());
    }

    final int retry(final long delay)
    {
        closeConnection();
        state = State.WAITING;
        onClosed(delay);
        return 1;
    }

    final int endReplica(final FailureKind reason)
    {
        state = State.ENDING;
        stream.share().agent.end(replica, reason);
        return 1;
    }

    /** The sender has stopped with the connection. */
    private void onEnded()
    {
        final StreamFailure failure = replica.failure();
        consumed = replica.consumed();
        sent = replica.sent();
        lostAt = context.now();
        lostFor = failure;
        retry(0);
        if (failure.kind() == FailureKind.END_OF_STREAM || failure.kind() == FailureKind.TOO_SLOW ||
            failure.kind() == FailureKind.CORRUPT_RING)
        {
            // What can't be sent would be waited for without an end: the next image starts behind it, with a gap.
            leave();
        }
        else if (!stopping)
        {
            context.listener.onReplicaInterrupted(stream, peer, failure);
        }
    }

    /** The host has said that the image has ended, and why. */
    final void imageEnded(final FailureKind reason)
    {
        lostFor = new StreamFailure(reason, 0);
    }

    /**
     * Whether nothing behind the gate was read for certain. If the host knows of no image then, its driver was
     * restarted before that had started, and the next one starts at the gate, so that its subscribers miss nothing.
     */
    final boolean isUnread()
    {
        if (entry == NONE)
        {
            return false;
        }
        // The word itself too, which the NIC may have written after the sender's last look. A word that makes no sense
        // hides whether one before it has let producers go on; what lies behind the gate may be overwritten then.
        final GatingList list = stream.membership().list();
        final long start = list.joinPosition(entry);
        return consumed == start && list.position(entry) == start;
    }

    /** The next connection starts an image, at the gate, which was never released. */
    final void startAnew()
    {
        anew = true;
    }

    final boolean isAnew()
    {
        return anew;
    }

    /** Takes the host's gate out; no queue pair that could write it is left. */
    final void leave()
    {
        if (entry != NONE)
        {
            stream.leave(entry);
            entry = NONE;
            anew = false;
            context.listener.onReplicaEnded(stream, peer, consumed, lostFor);
        }
    }

    final void closeConnection()
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
            context.release(stream.share().queues, attributes);
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

    final void end(final long position)
    {
        endPosition = position;
        if (state == State.ACTIVE)
        {
            stream.share().agent.endStream(replica, position);
        }
    }

    /** Goes on with the gate that the driver before has left. */
    final void adopt(final int gate)
    {
        entry = gate;
        // The driver before has sent nothing that was not committed, and the peer may have lied about the gate.
        sent = stream.membership().finalPosition();
        final GatingList list = stream.membership().list();
        final long start = list.joinPosition(gate);
        final long position = list.position(gate);
        consumed = position >= start && position <= sent ? position : Math.min(start, sent);
        lostAt = context.now();
        counters.position = consumed;
        counters.consumed = consumed;
        counters.holdSince = lostAt;
        lostFor = new StreamFailure(FailureKind.DISCONNECTED, 0);
    }

    /** As {@link #stop()}, but the gate stays. */
    final void suspend()
    {
        suspending = true;
        stop();
    }

    final void stop()
    {
        stopping = true;
        lostFor = new StreamFailure(FailureKind.CLOSED, 0);
        if (state == State.ACTIVE)
        {
            endReplica(FailureKind.CLOSED);
        }
    }

    /** There never was a connection, and none can be made. */
    final void giveUp(final FailureKind reason)
    {
        stopping = true;
        lostFor = new StreamFailure(reason, 0);
    }

    final boolean isClosed()
    {
        return state == State.CLOSED;
    }

    @Override
    public final boolean isJoined()
    {
        return entry != NONE;
    }

    @Override
    public final int gate()
    {
        return entry;
    }

    @Override
    public final boolean isConnected()
    {
        return state == State.ACTIVE;
    }

    @Override
    public final InetSocketAddress address()
    {
        return peer;
    }

    @Override
    public final StreamCounters counters()
    {
        return counters;
    }

    /** The same host comes from another port, or address. */
    final void peer(final InetSocketAddress address)
    {
        peer = address;
    }

    /** {@return the connection that is served at present, or null} */
    final OutboundReplica replica()
    {
        return replica;
    }
}
