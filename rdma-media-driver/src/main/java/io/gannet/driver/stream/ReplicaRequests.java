package io.gannet.driver.stream;

import io.gannet.rdma.Errno;
import io.gannet.rdma.InlinePolicy;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.SendLedger;
import io.gannet.ring.Ring;

/**
 * Makes the requests of one replica, posts them, and keeps their account: the slots of the send queue, how far was
 * posted, what was counted. What may be posted at all is the {@link OutboundReplica}'s to decide. Owned by the sender.
 */
final class ReplicaRequests
{
    /** Slots of the send queue that data never uses: the tail and control always fit. */
    private static final int RESERVED_SLOTS = 2;

    private final Ring ring;
    private final QueuePair queuePair;
    private final InlinePolicy inlinePolicy;
    private final ImageTarget target;
    private final OutboundMessages messages;
    private final long workBase;
    private final int ringKey;
    private final long mask;
    private final int depth;
    private final SendLedger ledger;
    private final SendProgress progress;
    private final StreamCounters counters;
    private long lastReceiveUsedAt;
    private long sentFramesAt;
    private int refusals;
    /** Whether positions go as immediates; if not, by SENDs of their own. Some devices say yes and refuse the first. */
    private boolean immediate;
    private boolean immediateProven;

    /**
     * @param ringKey   lkey of the ring's data.
     * @param immediate whether the device can write with an immediate, as far as it says.
     */
    ReplicaRequests(
        final Ring ring,
        final QueuePair queuePair,
        final ReplicationSettings settings,
        final ImageTarget target,
        final OutboundMessages messages,
        final long workBase,
        final int ringKey,
        final boolean immediate,
        final SendLedger ledger,
        final SendProgress progress,
        final StreamCounters counters,
        final long now)
    {
        this.ring = ring;
        this.queuePair = queuePair;
        this.target = target;
        this.messages = messages;
        this.workBase = workBase;
        this.ringKey = ringKey;
        this.immediate = immediate;
        this.ledger = ledger;
        this.progress = progress;
        this.counters = counters;
        inlinePolicy = new InlinePolicy(queuePair.maxInline(), settings.inlineThreshold());
        mask = ring.capacity() - 1L;
        depth = settings.sendDepth();
        lastReceiveUsedAt = now;
        sentFramesAt = now;
    }

    void beginChain()
    {
        progress.beginChain();
        refusals = 0;
    }

    /** {@return whether a part of a run, and the SEND that it may need, fit into the chain} */
    boolean hasRoomInChain()
    {
        return progress.chain() < ReplicationSettings.MAX_CHAIN - (immediate ? 0 : 1);
    }

    /** {@return whether they fit into the send queue} */
    boolean hasRoomForData()
    {
        return ledger.free() > RESERVED_SLOTS + (immediate ? 0 : 1);
    }

    /** {@return posts that the device has refused since the chain began} */
    int refusals()
    {
        return refusals;
    }

    /** {@return when the last request was posted that uses up a receive of the peer} */
    long lastReceiveUsedAt()
    {
        return lastReceiveUsedAt;
    }

    /** {@return when frames were posted last} */
    long sentFramesAt()
    {
        return sentFramesAt;
    }

    /**
     * Adds the next bytes of the run to the chain.
     *
     * @param length in bytes; 0 if all of the run was written, and only its end is to be told.
     * @param last   whether they end the run.
     */
    void add(final int length, final boolean last, final long now)
    {
        if (length > 0)
        {
            progress.addRequest();
            final int flags = inlinePolicy.flags(length) | ledger.post(now);
            final long wrId = WorkId.of(workBase, ledger.sequence());
            final long from = ring.addressOf(progress.written());
            final long to = target.address() + (progress.written() & mask);
            if (last && immediate)
            {
                queuePair.addWriteWithImm(
                    wrId, flags, from, length, ringKey, to, target.rkey(),
                    ImmPosition.of(progress.runEnd()));
            }
            else
            {
                queuePair.addWrite(wrId, flags, from, length, ringKey, to, target.rkey());
            }
            progress.wrote(length);
            count(length, flags);
        }
        if (last)
        {
            if (!immediate)
            {
                progress.addRequest();
                addPosition(progress.runEnd(), now);
            }
            counters.messages += progress.runFrames();
            progress.endRun();
        }
    }

    /** A SEND completes behind the writes before it, so that it can say that they have arrived. */
    private void addPosition(final long position, final long now)
    {
        final int flags = inlinePolicy.flags(OutboundMessages.POSITION_LENGTH) |
            (progress.chain() == 0 ? postAlone(now) : ledger.post(now));
        final int slot = Math.floorMod(ledger.sequence(), depth);
        messages.addPosition(
            queuePair, WorkId.of(workBase, ledger.sequence()), flags, ImmPosition.of(position), slot);
        count(0, flags);
    }

    /** A sign of life behind which nothing is under way: signaled, it spares the write that would confirm it. */
    private int postAlone(final long now)
    {
        if (ledger.outstanding() != 0)
        {
            return ledger.post(now);
        }
        ledger.postSignaled(now);
        return SendFlags.SIGNALED;
    }

    /**
     * Posts the chain; what the device refuses is as if it had never been added.
     *
     * @return {@link Errno#OK}, also if it is to be tried again; else why it never will be taken.
     */
    int ringDoorbell(final long now)
    {
        counters.doorbells++;
        final int errno = queuePair.ringDoorbell();
        if (errno == Errno.OK)
        {
            immediateProven |= progress.hasEndedRun();
            lastReceiveUsedAt = now;
            sentFramesAt = now;
            return Errno.OK;
        }
        final int accepted = queuePair.accepted();
        final int refused = progress.chain() - accepted;
        progress.undoBehind(accepted, counters);
        return onRefused(refused, errno);
    }

    /** Posts the control message that is due, alone; returns as {@link #ringDoorbell}. */
    int postControl(final long now)
    {
        ledger.postSignaled(now);
        final int flags = SendFlags.SIGNALED | inlinePolicy.flags(ControlMessage.LENGTH);
        messages.addTo(queuePair, WorkId.of(workBase, ledger.sequence()), flags);
        count(0, flags);
        final int errno = postOne(true, now);
        if (refusals > 0)
        {
            messages.refused();
        }
        return errno;
    }

    /** Posts a sign of life, alone; returns as {@link #ringDoorbell}. */
    int postSign(final long now)
    {
        if (immediate)
        {
            final int flags = postAlone(now);
            queuePair.addWriteWithImm(
                WorkId.of(workBase, ledger.sequence()), flags, 0, 0, 0, 0, 0, ImmPosition.of(progress.sent()));
            count(0, flags);
        }
        else
        {
            addPosition(progress.sent(), now);
        }
        return postOne(true, now);
    }

    /** Posts what confirms all before it, alone; returns as {@link #ringDoorbell}. */
    int postTail(final long now)
    {
        ledger.postSignaled(now);
        queuePair.addWrite(WorkId.of(workBase, ledger.sequence()), SendFlags.SIGNALED, 0, 0, 0, 0, 0);
        count(0, SendFlags.SIGNALED);
        return postOne(false, now);
    }

    private int postOne(final boolean usesReceive, final long now)
    {
        counters.doorbells++;
        final int errno = queuePair.ringDoorbell();
        if (errno != Errno.OK)
        {
            return onRefused(1, errno);
        }
        progress.postedOne(usesReceive);
        if (usesReceive)
        {
            lastReceiveUsedAt = now;
        }
        return Errno.OK;
    }

    private int onRefused(final int requests, final int errno)
    {
        ledger.refused(requests);
        counters.requests -= requests;
        counters.refusedPosts += requests;
        refusals++;
        if (errno == Errno.EINVAL && immediate && !immediateProven)
        {
            immediate = false;
            return Errno.OK;
        }
        return errno == Errno.ENOMEM ? Errno.OK : errno;
    }

    private void count(final int length, final int flags)
    {
        counters.bytes += length;
        counters.requests++;
        final boolean inline = (flags & SendFlags.INLINE) != 0;
        counters.inlineRequests += inline ? 1 : 0;
        counters.fetchedBytes += inline ? 0 : length;
        counters.signaledRequests += (flags & SendFlags.SIGNALED) != 0 ? 1 : 0;
    }
}
