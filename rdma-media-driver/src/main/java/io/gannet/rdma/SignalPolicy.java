package io.gannet.rdma;

/**
 * Decides which work requests ask for a completion. A send-queue slot is free only after a completion of that request
 * or a later one was polled, so the interval is a reclaim rule first and a saving of completions second.
 *
 * <p>Interval by load, the unreclaimed share of the queue: 32 below 0.3, 16 to 0.7, 8 above; never more than a quarter
 * of the queue (brpc keeps the same margin, eRPC asks for a half), so with a queue of 64 it is at most 16. A load that
 * falls leaves an interval only {@value #HYSTERESIS_PERCENT} % of the queue below the bound at which it came, so that a
 * load at a bound does not flutter. Not thread-safe: owned by the sender.
 */
public final class SignalPolicy
{
    static final int HYSTERESIS_PERCENT = 10;

    private static final int LOW_LOAD_PERCENT = 30;
    private static final int HIGH_LOAD_PERCENT = 70;
    private static final int LOW = 0;
    private static final int MIDDLE = 1;
    private static final int HIGH = 2;
    private static final int[] INTERVALS = {32, 16, 8};

    private final int depth;
    private final int mostInterval;
    private final boolean fixed;
    private int level = LOW;
    private int interval;
    private int unsignaled;

    /**
     * @param depth of the send queue, at least 4.
     */
    public SignalPolicy(final int depth)
    {
        this(depth, 0);
    }

    /**
     * @param depth of the send queue, at least 4.
     * @param fixed requests by signaled one whatever the load, 1 for each; more than a quarter of the queue is a
     *              quarter. 0 adapts it.
     */
    public SignalPolicy(final int depth, final int fixed)
    {
        if (depth < 4)
        {
            throw new IllegalArgumentException(
                "send queue of " + depth + " requests: at least 4 are needed to signal each quarter");
        }
        this.depth = depth;
        this.mostInterval = Integer.highestOneBit(depth / 4);
        this.fixed = fixed > 0;
        this.interval = Math.min(this.fixed ? fixed : INTERVALS[LOW], mostInterval);
    }

    /**
     * Decides on the next request. Called once for each request of whatever kind, as all of them take slots.
     *
     * @param outstanding requests in front of it that no polled completion covers.
     * @return {@link SendFlags#SIGNALED} or {@link SendFlags#NONE}.
     */
    public int nextFlags(final int outstanding)
    {
        if (!fixed)
        {
            adapt(outstanding);
        }
        if (unsignaled + 1 >= interval)
        {
            unsignaled = 0;
            return SendFlags.SIGNALED;
        }
        unsignaled++;
        return SendFlags.NONE;
    }

    /**
     * Notes a request that was signaled for another reason, such as the tail.
     */
    public void onSignaled()
    {
        unsignaled = 0;
    }

    /** {@return requests since the last signaled one} */
    public int unsignaled()
    {
        return unsignaled;
    }

    /** {@return every how many requests one is signaled at present} */
    public int interval()
    {
        return interval;
    }

    private void adapt(final int outstanding)
    {
        final int percent = (int) (100L * outstanding / depth);
        if (percent >= HIGH_LOAD_PERCENT)
        {
            level = HIGH;
        }
        else if (level == HIGH && percent < HIGH_LOAD_PERCENT - HYSTERESIS_PERCENT)
        {
            level = MIDDLE;
        }
        if (level == LOW && percent >= LOW_LOAD_PERCENT)
        {
            level = MIDDLE;
        }
        else if (level == MIDDLE && percent < LOW_LOAD_PERCENT - HYSTERESIS_PERCENT)
        {
            level = LOW;
        }
        interval = Math.min(INTERVALS[level], mostInterval);
    }
}
