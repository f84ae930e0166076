package io.gannet.driver;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * Longest duty cycle and number of stalls of one agent. Owned by the agent's thread; the counters are read by anyone.
 */
final class DutyCycle
{
    private final AtomicCounter longestNanos;
    private final AtomicCounter stalls;
    private final long thresholdNanos;
    private long longest;

    DutyCycle(final AtomicCounter longestNanos, final AtomicCounter stalls, final long thresholdNanos)
    {
        this.longestNanos = longestNanos;
        this.stalls = stalls;
        this.thresholdNanos = thresholdNanos;
    }

    /** Accounts for one cycle. */
    void record(final long nanos)
    {
        if (nanos > longest)
        {
            longest = nanos;
            longestNanos.setRelease(nanos);
        }
        if (nanos > thresholdNanos)
        {
            stalls.incrementRelease();
        }
    }
}
