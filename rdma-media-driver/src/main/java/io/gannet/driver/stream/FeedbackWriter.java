package io.gannet.driver.stream;

import io.gannet.rdma.Errno;
import io.gannet.rdma.InlinePolicy;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.SendLedger;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.Ring;
import io.gannet.ring.RingLayout;

/**
 * Writes what an image's subscribers have consumed, and the receives posted, into the publisher's {@link FeedbackCell}:
 * when an eighth of the ring was consumed, a quarter of the receives posted again, a time has passed since something
 * changed, or as a sign of life. Not thread-safe: owned by the receiver.
 */
final class FeedbackWriter
{
    private final GatingMinimum gating;
    private final ReplicationSettings settings;
    private final ConnectionMemory memory;
    private final int firstSlot;
    private final int slots;
    private final InlinePolicy inlinePolicy;
    private final SendLedger ledger;
    private final StreamCounters counters;
    private final long workBase;
    private final int eighth;
    private final int quarter;

    private long cellAddress;
    private int cellRkey;
    private long consumed;
    private long consumedWritten;
    private long creditsWritten;
    private long heartbeat;
    private long writtenAt;
    private long seenReceived;
    private long seenConsumed;
    private long movedAt;
    private StreamFailure failure;

    /**
     * @param gating         of the image.
     * @param memory         with slots of at least {@link FeedbackCell#LENGTH} bytes from {@code firstSlot} on.
     * @param sendDepth      of the queue pair; as many slots are used.
     * @param consumedBefore what a resumed image's subscribers had consumed at least; -1 for a new image.
     */
    FeedbackWriter(
        final Ring ring,
        final GatingMinimum gating,
        final ReplicationSettings settings,
        final ConnectionMemory memory,
        final int firstSlot,
        final int sendDepth,
        final int maxInline,
        final StreamCounters counters,
        final long workBase,
        final long consumedBefore)
    {
        this.gating = gating;
        this.settings = settings;
        this.memory = memory;
        this.firstSlot = firstSlot;
        this.slots = sendDepth;
        this.counters = counters;
        this.workBase = workBase;
        consumed = consumedBefore;
        inlinePolicy = new InlinePolicy(maxInline, settings.inlineThreshold());
        ledger = new SendLedger(sendDepth, settings.tailDelay(), settings.signalInterval());
        eighth = ring.capacity() / 8;
        quarter = settings.receiveDepth() / 4;
        creditsWritten = settings.receiveDepth();
    }

    /**
     * The peer has said where feedback goes.
     *
     * @param position from which the stream goes on.
     */
    void start(final long address, final int rkey, final long position, final long now)
    {
        cellAddress = address;
        cellRkey = rkey;
        consumed = consumed < 0 ? position : Math.max(consumed, gate(position));
        consumedWritten = consumed;
        writtenAt = now - settings.heartbeatInterval();
    }

    /** Position that all subscribers have consumed; -1 if there is none, or if it could not be read. */
    private long gate(final long received)
    {
        final long minimum = gating.refresh(received);
        return minimum == RingLayout.FREE ? -1 : minimum;
    }

    /**
     * Writes, if it is time.
     *
     * @param posted   receives posted in all.
     * @param received position up to which everything has arrived.
     * @param open     whether the image has subscribers that gate it.
     * @return requests posted.
     */
    int write(
        final QueuePair queuePair, final long posted, final long received, final boolean open, final long now)
    {
        final long age = now - writtenAt;
        if (received != seenReceived || consumed != seenConsumed)
        {
            seenReceived = received;
            seenConsumed = consumed;
            movedAt = now;
        }
        final boolean mayBeDue = age >= settings.feedbackInterval() || received - consumedWritten >= eighth ||
            posted - creditsWritten >= quarter;
        if (mayBeDue && open)
        {
            consumed = Math.max(consumed, gate(received));
        }
        final boolean changed = consumed != consumedWritten || posted != creditsWritten;
        if (consumed - consumedWritten >= eighth || posted - creditsWritten >= quarter ||
            (changed && age >= settings.feedbackInterval()) || age >= settings.signInterval())
        {
            return post(queuePair, posted, now);
        }
        return confirm(queuePair, now);
    }

    /** {@return nanoseconds until it has to look again; parameters as with {@link #write}} */
    long waitLimit(final long posted, final long received, final boolean open, final long now)
    {
        final long age = now - writtenAt;
        final boolean changed = consumed != consumedWritten || posted != creditsWritten;
        long limit = (changed ? settings.feedbackInterval() : settings.heartbeatInterval()) - age;
        if (open && consumed != received)
        {
            // Subscribers move without an event. A wait lengthens what they take by an eighth at most.
            limit = Math.min(limit,
                Math.clamp((now - movedAt) / 8, settings.feedbackInterval(), ReplicationSettings.LONGEST_LOOK));
        }
        if (ledger.outstanding() > 0)
        {
            limit = Math.min(limit, settings.stallTimeout() - ledger.stalledFor(now));
        }
        return Math.min(limit, ledger.tailDueIn(now));
    }

    private int post(final QueuePair queuePair, final long posted, final long now)
    {
        if (ledger.free() <= 1)
        {
            counters.queueStalls++;
            return checkStall(now);
        }
        final int flags = inlinePolicy.flags(FeedbackCell.LENGTH) | count(now);
        final int slot = firstSlot + Math.floorMod(ledger.sequence(), slots);
        final int offset = slot * memory.slotLength();
        memory.buffer().putLong(offset + FeedbackCell.POSITION, consumed);
        memory.buffer().putLong(offset + FeedbackCell.POSITION + Long.BYTES, 0);
        memory.buffer().putLong(offset + FeedbackCell.CREDITS, posted);
        memory.buffer().putLong(offset + FeedbackCell.HEARTBEAT, ++heartbeat);
        queuePair.addWrite(
            WorkId.of(workBase, slotSequence()),
            flags,
            memory.address(slot),
            FeedbackCell.LENGTH,
            memory.lkey(),
            cellAddress,
            cellRkey);
        if (!ring(queuePair, flags))
        {
            return 0;
        }
        consumedWritten = consumed;
        creditsWritten = posted;
        writtenAt = now;
        counters.feedbacks++;
        return 1;
    }

    /** A write alone is mostly the last one for a while: signaled, it spares the one that would confirm it. */
    private int count(final long now)
    {
        if (ledger.outstanding() != 0)
        {
            return ledger.post(now);
        }
        ledger.postSignaled(now);
        return SendFlags.SIGNALED;
    }

    private int confirm(final QueuePair queuePair, final long now)
    {
        if (!ledger.isTailDue(now))
        {
            return checkStall(now);
        }
        ledger.postSignaled(now);
        queuePair.addWrite(WorkId.of(workBase, slotSequence()), SendFlags.SIGNALED, 0, 0, 0, 0, 0);
        return ring(queuePair, SendFlags.SIGNALED) ? 1 : 0;
    }

    /** Sequences of sends are told from slots of receives by their sign. */
    private int slotSequence()
    {
        return ledger.sequence() | Integer.MIN_VALUE;
    }

    private boolean ring(final QueuePair queuePair, final int flags)
    {
        counters.doorbells++;
        final int errno = queuePair.ringDoorbell();
        if (errno != Errno.OK)
        {
            ledger.refused(1);
            counters.refusedPosts++;
            if (errno != Errno.ENOMEM)
            {
                failure = new StreamFailure(FailureKind.POST_REFUSED, errno);
            }
            return false;
        }
        counters.requests++;
        counters.inlineRequests += (flags & SendFlags.INLINE) != 0 ? 1 : 0;
        counters.signaledRequests += (flags & SendFlags.SIGNALED) != 0 ? 1 : 0;
        return true;
    }

    /** Nobody has looked for so long. */
    void wasAway(final long nanos)
    {
        ledger.wasAway(nanos);
    }

    private int checkStall(final long now)
    {
        if (ledger.stalledFor(now) > settings.stallTimeout())
        {
            failure = new StreamFailure(FailureKind.STALLED, 0);
        }
        return 0;
    }

    /** {@return false if no such request is outstanding} */
    boolean complete(final int sequence, final long now)
    {
        return ledger.complete(sequence, now);
    }

    /** {@return position that subscribers have consumed, as last looked at} */
    long consumed()
    {
        return consumed;
    }

    /** {@return requests that no completion covers} */
    int outstanding()
    {
        return ledger.outstanding();
    }

    /** {@return why it stopped, or null} */
    StreamFailure failure()
    {
        return failure;
    }
}
