package io.gannet.driver.stream;

import java.util.concurrent.TimeUnit;

/**
 * Knows for how long an agent could not run though it wanted to: a paused process, a busy host. Of that time its peers
 * and its device are not to be blamed. Not thread-safe: owned by the agent.
 */
final class PauseWatch
{
    /** Between two cycles, which is no pause yet: a fraction of the shortest deadline. */
    private static final long USUAL = TimeUnit.MILLISECONDS.toNanos(100);
    /** Longest wait that is taken for one, far from an overflow. */
    private static final long LONGEST_WAIT = TimeUnit.HOURS.toNanos(1);

    private boolean begun;
    private long expected;

    /** The agent may wait so long from now on. */
    void waits(final long now, final long limit)
    {
        expected = now + Math.min(limit, LONGEST_WAIT);
    }

    /**
     * A cycle begins.
     *
     * @return nanoseconds that the agent was away beyond what it wanted and what is usual; mostly 0.
     */
    long begin(final long now)
    {
        final long late = begun ? now - expected - USUAL : 0;
        begun = true;
        expected = now;
        return Math.max(0, late);
    }
}
