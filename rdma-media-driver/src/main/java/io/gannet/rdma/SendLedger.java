package io.gannet.rdma;

/**
 * Counts the slots of one send queue: what was posted, what polled completions have freed, and since when something
 * waits. Every request of whatever kind is counted; nothing is posted that does not fit.
 *
 * <p>The tail rule: requests that no signaled one follows are never confirmed, and an error among them shows late. When
 * nothing was posted for a while behind an unsignaled request, one signaled write of length 0 is due. Not thread-safe:
 * owned by the thread that posts.
 */
public final class SendLedger
{
    private final int depth;
    private final SignalPolicy signalPolicy;
    private final long tailDelay;
    private long posted;
    private long reclaimed;
    private long signaled;
    private long lastPostTime;
    private long progressTime;
    private long signaledCount;

    /**
     * @param depth     of the send queue; one slot of it is never used.
     * @param tailDelay nanoseconds without a post after which the tail is due.
     */
    public SendLedger(final int depth, final long tailDelay)
    {
        this(depth, tailDelay, 0);
    }

    /**
     * @param depth          of the send queue; one slot of it is never used.
     * @param tailDelay      nanoseconds without a post after which the tail is due.
     * @param signalInterval requests by signaled one; 0 adapts it to the load.
     */
    public SendLedger(final int depth, final long tailDelay, final int signalInterval)
    {
        this.depth = depth;
        this.signalPolicy = new SignalPolicy(depth, signalInterval);
        this.tailDelay = tailDelay;
    }

    /** {@return requests that may be posted now} */
    public int free()
    {
        return depth - 1 - outstanding();
    }

    /** {@return requests that were posted and that no polled completion covers} */
    public int outstanding()
    {
        return (int) (posted - reclaimed);
    }

    /**
     * Counts a request that is about to be posted.
     *
     * @param now nanoseconds.
     * @return {@link SendFlags#SIGNALED} or {@link SendFlags#NONE}.
     */
    public int post(final long now)
    {
        final int flags = signalPolicy.nextFlags(outstanding());
        count(now, flags == SendFlags.SIGNALED);
        return flags;
    }

    /**
     * Counts a request that is about to be posted and is to be signaled in any case.
     *
     * @param now nanoseconds.
     */
    public void postSignaled(final long now)
    {
        signalPolicy.onSignaled();
        count(now, true);
    }

    private void count(final long now, final boolean isSignaled)
    {
        if (outstanding() == 0)
        {
            progressTime = now;
        }
        posted++;
        lastPostTime = now;
        if (isSignaled)
        {
            signaled = posted;
            signaledCount++;
        }
    }

    /** {@return the low 32 bits of the number of the request counted last, for its {@code wr_id}} */
    public int sequence()
    {
        return (int) posted;
    }

    /**
     * Takes a completion: it and all requests before it are done.
     *
     * @param sequence from its {@code wr_id}; the highest bit is ignored.
     * @param now      nanoseconds.
     * @return false if no outstanding request has that number.
     */
    public boolean complete(final int sequence, final long now)
    {
        final int behind = (int) posted - sequence & Integer.MAX_VALUE;
        if (behind >= outstanding())
        {
            return false;
        }
        reclaimed = posted - behind;
        progressTime = now;
        return true;
    }

    /**
     * Takes back requests, the last ones counted, that the NIC refused.
     */
    public void refused(final int count)
    {
        posted -= count;
        if (signaled > posted)
        {
            // Which of those left was signaled last is not known: let the tail confirm them.
            signaled = posted - 1;
        }
    }

    /** {@return whether a signaled write of length 0 is to be posted now} */
    public boolean isTailDue(final long now)
    {
        return signaled != posted && now - lastPostTime >= tailDelay && free() > 0;
    }

    /** {@return nanoseconds until the tail is due, at least 0; {@link Long#MAX_VALUE} if everything is signaled} */
    public long tailDueIn(final long now)
    {
        return signaled == posted ? Long.MAX_VALUE : Math.max(0, tailDelay - (now - lastPostTime));
    }

    /** The owner was away for so long: what is outstanding may be confirmed, and nobody has looked. */
    public void wasAway(final long nanos)
    {
        progressTime += nanos;
    }

    /** {@return nanoseconds for which something has been outstanding without any completion; 0 if nothing is} */
    public long stalledFor(final long now)
    {
        return outstanding() == 0 ? 0 : now - progressTime;
    }

    /** {@return requests posted so far} */
    public long posted()
    {
        return posted;
    }

    /** {@return requests that were signaled so far} */
    public long signaledCount()
    {
        return signaledCount;
    }
}
