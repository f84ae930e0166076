package io.gannet.driver.stream;

import io.gannet.rdma.Errno;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendLedger;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.ring.Bell;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;

/**
 * One image on another host, as the sender sees it: how far it was sent, what it may still be sent, and the requests
 * under way. Made by the control plane for one connection, then owned by the {@link Sender} until it is handed back.
 *
 * <p>Limits, all of them kept before anything is posted: frames that are committed; the peer's consumed position and a
 * window; the peer's receives, of which two are kept for control; slots of the send queue. All whole frames in reach go
 * in one write with immediate, so a second request in a chain means a backlog; a frame longer than the cap goes as
 * plain writes, the last part with the immediate.
 */
final class OutboundReplica
{
    /** Where a replica is that does not rest. */
    static final int NOWHERE = -1;
    /** Nanoseconds without a frame to send, or of a stall, after which it may rest. */
    private static final long REST_AFTER = 5_000_000;
    /** Least rest that is worth the trouble. */
    private static final long LEAST_REST = 1_000_000;
    /** Part of a stall after which it is looked at again. */
    private static final int STALL_SHARE = 8;

    private final Ring ring;
    private final ReplicationSettings settings;
    private final FeedbackCell cell;
    private final OutboundMessages messages;
    private final ReplicaRequests requests;
    private final RunScanner scanner;
    private final SendLedger ledger;
    private final StreamCounters counters;
    private final PollShare polls = new PollShare();
    private final RingMemory memory;
    private final Bell bell;
    private final long senderGate;
    private final long workBase;
    private final Runnable whenEnded;
    private final long window;
    private final int cap;
    private final long ignoredBefore;
    private final long largestLag;
    private final SendProgress progress;
    private StreamCounters.Hold hold = StreamCounters.Hold.NONE;
    private StreamFailure failure;
    /** Whether nothing but a new frame, a completion or control needs it before that time. */
    private boolean quiet;
    private long quietUntil;
    private int restsAt = NOWHERE;

    /**
     * @param senderGate address of the sender's own position in the ring's gating list.
     * @param ringKey    lkey of the ring's data.
     * @param start      position from which to send.
     * @param immediate  whether the device can write with an immediate, as far as it says.
     * @param dropsSlow  whether it ends when its subscriber is three quarters of the ring's window behind.
     * @param counters   of the host.
     * @param whenEnded  tells the control plane, from the sender's thread.
     */
    OutboundReplica(
        final Ring ring,
        final QueuePair queuePair,
        final ReplicationSettings settings,
        final ImageTarget target,
        final FeedbackCell cell,
        final OutboundMessages messages,
        final long senderGate,
        final long workBase,
        final int ringKey,
        final long start,
        final boolean immediate,
        final boolean dropsSlow,
        final StreamCounters counters,
        final Runnable whenEnded,
        final long now)
    {
        this.ring = ring;
        this.settings = settings;
        this.cell = cell;
        this.messages = messages;
        this.senderGate = senderGate;
        this.workBase = workBase;
        largestLag = dropsSlow ? RingLayout.window(ring.kind(), ring.capacity()) / 4 * 3L : Long.MAX_VALUE;
        this.counters = counters;
        this.whenEnded = whenEnded;
        memory = ring.memory();
        bell = new Bell(ring, Bell.FUTEX_WAKER);
        scanner = new RunScanner(ring);
        ledger = new SendLedger(settings.sendDepth(), settings.tailDelay(), settings.signalInterval());
        window = RingLayout.window(RingKind.IMAGE, ring.capacity());
        cap = settings.writeCap();
        progress = new SendProgress(start);
        requests = new ReplicaRequests(
            ring, queuePair, settings, target, messages, workBase, ringKey, immediate, ledger, progress, counters, now);
        ignoredBefore = counters.ignoredFeedback;
    }

    /**
     * Sends what may be sent.
     *
     * @return requests posted.
     */
    int send(final long now)
    {
        if (failure != null)
        {
            publishCounters(now);
            return 0;
        }
        if (quiet && now - quietUntil < 0 && isAtEnd())
        {
            return 0;
        }
        cell.read(progress.sent(), progress.receivesUsed(), now);
        requests.beginChain();
        hold = StreamCounters.Hold.NONE;
        checkDeadlines(now);
        if (failure == null && messages.isStarted())
        {
            fill(now);
        }
        if (progress.chain() > 0)
        {
            onPosted(requests.ringDoorbell(now));
        }
        else if (failure == null)
        {
            upkeep(now);
        }
        publishSent();
        publishCounters(now);
        final int work = progress.chain() + requests.refusals();
        quiet = work == 0 && failure == null;
        quietUntil = quiet ? now + Math.min(ReplicationSettings.QUIET, waitLimit(now)) : now;
        return work;
    }

    /** The sender was kept from running for so long, in which it heard nothing of anybody. */
    void wasAway(final long nanos)
    {
        ledger.wasAway(nanos);
        cell.wasAway(nanos);
    }

    /** Whether there is a frame behind what was sent. */
    boolean hasNews()
    {
        return failure == null && !isAtEnd();
    }

    /** Whether no frame follows what was sent. */
    private boolean isAtEnd()
    {
        final long sent = progress.sent();
        return progress.written() == sent && memory.getIntOpaque(ring.addressOf(sent)) == 0;
    }

    private void publishCounters(final long now)
    {
        if (hold != counters.hold)
        {
            counters.holdSince = now;
            counters.hold = hold;
        }
        polls.addTo(counters);
        counters.outstanding = ledger.outstanding();
        counters.credits = credits();
        counters.position = progress.sent();
        counters.consumed = cell.consumed();
        counters.ignoredFeedback = ignoredBefore + cell.ignored();
    }

    /**
     * Whether there is nothing to be sent, and has not been for a while, or the peer lets it wait: until
     * {@link #waitLimit} it needs no visit unless a frame, a completion or control wants one.
     */
    boolean mayRest(final long now)
    {
        if (!quiet || failure != null || restsAt != NOWHERE)
        {
            return false;
        }
        final boolean idle = hold == StreamCounters.Hold.NONE ?
            now - requests.sentFramesAt() >= REST_AFTER && progress.written() == progress.sent() :
            now - counters.holdSince >= REST_AFTER && largestLag == Long.MAX_VALUE;
        return idle && waitLimit(now) >= LEAST_REST;
    }

    /** Whether a new frame ends its rest; else it waits for the peer. */
    boolean isWatched()
    {
        return hold == StreamCounters.Hold.NONE;
    }

    /** Address of the length of the frame that it sends next. */
    long nextFrame()
    {
        return ring.addressOf(progress.sent());
    }

    /** Its place among those at rest, or {@link #NOWHERE}. */
    int restsAt()
    {
        return restsAt;
    }

    void restsAt(final int place)
    {
        restsAt = place;
    }

    /** Something has come for it: the next cycle looks at everything. */
    void attend()
    {
        quiet = false;
    }

    /** Says at the ring that it is about to rest. */
    void announceRest()
    {
        bell.announce(Bell.WAITER_PIPE);
    }

    /** Whether whoever commits a frame rings for it. */
    boolean isAnnounced()
    {
        return bell.isAnnounced(Bell.WAITER_PIPE);
    }

    /** Says at the ring that the sender is about to wait for what is committed next. */
    void announce()
    {
        quiet = false;          // the cycle before a wait looks at everything
        bell.announce(Bell.WAITER_PIPE);
    }

    /**
     * {@return nanoseconds for which nothing needs the sender that a bell or a completion does not announce}
     */
    long waitLimit(final long now)
    {
        if (failure != null)
        {
            return 0;
        }
        long limit = Math.min(settings.peerTimeout() - (now - cell.heardAt()), ledger.tailDueIn(now));
        if (ledger.outstanding() > 0)
        {
            limit = Math.min(limit, settings.stallTimeout() - stalledFor(now));
        }
        if (hold != StreamCounters.Hold.NONE)
        {
            // The peer's word comes without an event. A wait lengthens a stall by an eighth of it at most.
            limit = Math.min(limit, Math.clamp((now - counters.holdSince) / STALL_SHARE,
                settings.feedbackInterval(), ReplicationSettings.LONGEST_LOOK));
        }
        if (ledger.free() > 0 && credits() > 0)
        {
            limit = Math.min(limit, settings.heartbeatInterval() - (now - requests.lastReceiveUsedAt()));
        }
        return limit;
    }

    private void fill(final long now)
    {
        final long limit = cell.consumed() + window;
        while (requests.hasRoomInChain())
        {
            if (progress.isBetweenRuns() && !findRun(limit))
            {
                return;
            }
            if (!requests.hasRoomForData())
            {
                counters.queueStalls++;
                hold = StreamCounters.Hold.DEVICE;
                return;
            }
            final int length = (int) Math.min(progress.runEnd() - progress.written(), cap);
            final boolean last = progress.written() + length == progress.runEnd();
            if (last && credits() <= ReplicationSettings.RESERVED_CREDITS)
            {
                counters.creditStalls++;
                hold = StreamCounters.Hold.CREDITS;
                return;
            }
            requests.add(length, last, now);
        }
    }

    private boolean findRun(final long limit)
    {
        final long sent = progress.sent();
        final long runEnd = scanner.endOfRun(sent, limit, cap);
        if (runEnd == RunScanner.CORRUPT)
        {
            progress.run(sent, 0);
            fail(FailureKind.CORRUPT_RING, 0);
            return false;
        }
        progress.run(runEnd, scanner.frames());
        if (runEnd == sent && memory.getIntOpaque(ring.addressOf(sent)) != 0)
        {
            counters.windowStalls++;
            hold = StreamCounters.Hold.SUBSCRIBER;
        }
        return runEnd != sent;
    }

    /**
     * Lets new subscribers start from here, and does not hold the publisher back any more; what is below was committed.
     * Also when nothing was sent, as this replica may have joined further on than the sender was.
     */
    private void publishSent()
    {
        if (memory.getLong(senderGate) < progress.sent())
        {
            // Pairs with the acquire in GatingList.position.
            memory.putLongRelease(senderGate, progress.sent());
        }
    }

    /** What is done when there is nothing to send: set-up, end, sign of life, confirmation. One request at most. */
    private void upkeep(final long now)
    {
        if (ledger.free() <= 0)
        {
            hold = StreamCounters.Hold.DEVICE;
            return;
        }
        if (credits() <= 0)
        {
            hold = StreamCounters.Hold.CREDITS;
        }
        if (credits() > 0 && messages.isDue(progress.sent()))
        {
            onPosted(requests.postControl(now));
        }
        else if (credits() > 0 && now - requests.lastReceiveUsedAt() >= settings.signInterval())
        {
            onPosted(requests.postSign(now));
        }
        else if (ledger.isTailDue(now))
        {
            onPosted(requests.postTail(now));
        }
    }

    private void onPosted(final int errno)
    {
        if (requests.refusals() > 0)
        {
            hold = StreamCounters.Hold.DEVICE;
        }
        if (errno != Errno.OK)
        {
            fail(FailureKind.POST_REFUSED, errno);
        }
    }

    private long credits()
    {
        return cell.credits() - progress.receivesUsed();
    }

    private void checkDeadlines(final long now)
    {
        if (stalledFor(now) > settings.stallTimeout())
        {
            fail(FailureKind.STALLED, 0);
        }
        else if (now - cell.heardAt() > settings.peerTimeout())
        {
            fail(FailureKind.SILENT_PEER, 0);
        }
        else if (largestLag != Long.MAX_VALUE && isTooSlow())
        {
            fail(FailureKind.TOO_SLOW, 0);
        }
    }

    /**
     * Claims of a concurrent ring that are not committed count too; but not for a subscriber that has consumed all that
     * was sent: it waits for a publisher that died or sleeps in its claim.
     */
    private boolean isTooSlow()
    {
        return cell.consumed() < progress.sent() &&
            OutboundStream.producedPosition(ring) - cell.consumed() > largestLag;
    }

    /**
     * Completions tell little of a slow link: the requests between two of them may take it longer than the time-out.
     * The peer tells what it has taken meanwhile.
     */
    private long stalledFor(final long now)
    {
        return Math.min(ledger.stalledFor(now), now - cell.movedAt());
    }

    /**
     * Takes a completion of this connection.
     */
    void onCompletion(final long wrId, final int status, final int opcode, final long now)
    {
        quiet = false;
        if (status != WcStatus.SUCCESS)
        {
            counters.rnrErrors += status == WcStatus.RNR_RETRY_EXC_ERR ? 1 : 0;
            fail(FailureKind.COMPLETION_ERROR, status);
        }
        else if (WcOpcode.isReceive(opcode) || !ledger.complete(WorkId.sequence(wrId), now))
        {
            fail(FailureKind.PROTOCOL, opcode);
        }
        else if (messages.isEndConfirmed(WorkId.sequence(wrId)))
        {
            fail(FailureKind.END_OF_STREAM, 0);
        }
    }

    /**
     * Stops sending; the first reason stays.
     */
    void fail(final FailureKind kind, final int detail)
    {
        if (failure == null)
        {
            failure = new StreamFailure(kind, detail);
            hold = StreamCounters.Hold.CONNECTION;
        }
    }

    /** {@return why it stopped sending, or null} */
    StreamFailure failure()
    {
        return failure;
    }

    /** The publication has ended at this position: the peer is told once it has everything. */
    void endAt(final long position)
    {
        quiet = false;
        messages.endAt(position);
    }

    PollShare polls()
    {
        return polls;
    }

    Ring ring()
    {
        return ring;
    }

    long workBase()
    {
        return workBase;
    }

    /** The sender has let go of it. */
    void ended()
    {
        whenEnded.run();
    }

    /** {@return position up to which the peer can have received whole frames} */
    long sent()
    {
        return progress.sent();
    }

    /** {@return position up to which the subscriber has consumed, as far as it is known} */
    long consumed()
    {
        return cell.consumed();
    }
}
