package io.gannet.driver.stream;

import java.util.concurrent.TimeUnit;

/**
 * How long each attempt to connect waits for an answer: the first ones shortly, as a message of the connection manager
 * that was lost is repeated by kernels only after 4 to 6 s, so that a new attempt is sooner; later ones as long as the
 * channel says, for hosts that need long to answer.
 */
final class Attempts
{
    private static final long[] FIRST = {TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(2)};
    /** Without an answer, over all attempts, after which people are told. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

    private final long limit;
    private int unanswered;
    private long firstAt;
    private long beganAt;
    private long deadline;

    /**
     * @param limit nanoseconds of an attempt at most.
     */
    Attempts(final long limit)
    {
        this.limit = limit;
    }

    /** An attempt begins. */
    void begin(final long now)
    {
        if (unanswered == 0)
        {
            firstAt = now;
        }
        beganAt = now;
        deadline = now + timeout();
    }

    /** {@return nanoseconds of the attempt that has begun, or begins next} */
    long timeout()
    {
        return unanswered < FIRST.length ? Math.min(limit, FIRST[unanswered]) : limit;
    }

    /** {@return the same in milliseconds, at least one} */
    int timeoutMillis()
    {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeout()));
    }

    boolean isLate(final long now)
    {
        return now - deadline >= 0;
    }

    /** Whether it is time to say that nobody answers. */
    boolean isTroubling(final long now)
    {
        return now - firstAt > PATIENCE;
    }

    /** The attempt has ended without a word of the other host. */
    void unanswered()
    {
        if (unanswered < FIRST.length)
        {
            unanswered++;
        }
    }

    /** The other host has said something, if only that it is not ready; if that took long, so may the next answer. */
    void answered(final long now)
    {
        if (now - beganAt < FIRST[0])
        {
            unanswered = 0;
        }
    }
}
