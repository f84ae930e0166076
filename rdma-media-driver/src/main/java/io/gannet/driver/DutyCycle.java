package io.gannet.driver;

import io.gannet.counters.CounterTypes;
import io.gannet.jfr.StallEvent;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * How long the duty cycles of one agent take: the longest, how many were stalls, and how many of each length. Owned by
 * the agent's thread, the only writer of the counters, which are read by anyone.
 */
public final class DutyCycle
{
    private final String agent;
    private final AtomicCounter longestNanos;
    private final AtomicCounter stalls;
    private final AtomicCounter time;
    private final AtomicCounter[] buckets;
    private final long thresholdNanos;
    private long longest;

    /**
     * For one agent.
     *
     * @param time    sum of all cycles; null if there was no room for it and the buckets.
     * @param buckets by {@link CounterTypes#cycleBucket}; empty if there was no room for them.
     */
    public DutyCycle(
        final String agent,
        final AtomicCounter longestNanos,
        final AtomicCounter stalls,
        final AtomicCounter time,
        final AtomicCounter[] buckets,
        final long thresholdNanos)
    {
        this.agent = agent;
        this.longestNanos = longestNanos;
        this.stalls = stalls;
        this.time = time;
        this.buckets = buckets;
        this.thresholdNanos = thresholdNanos;
    }

    /** Accounts for one cycle. */
    public void record(final long nanos)
    {
        if (buckets.length != 0)
        {
            // A plain add and a release store each, on lines that nobody else writes.
            buckets[CounterTypes.cycleBucket(nanos)].incrementRelease();
            time.getAndAddRelease(nanos);
        }
        if (nanos > longest)
        {
            longest = nanos;
            longestNanos.setRelease(nanos);
        }
        if (nanos > thresholdNanos)
        {
            stalls.incrementRelease();
            StallEvent.emit(agent, nanos, thresholdNanos);
        }
    }
}
