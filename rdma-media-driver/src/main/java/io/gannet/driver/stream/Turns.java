package io.gannet.driver.stream;

import java.util.concurrent.TimeUnit;

/**
 * Whose turn it is in a duty cycle, where many things want an occasional look: each has one at least every
 * {@link #INTERVAL}, or {@link #MOST} of them have one in each cycle, and few of them have one in every cycle. Not
 * thread-safe.
 */
final class Turns
{
    /** Nanoseconds; timers of the control plane are as late as this. */
    static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(10);
    /** Of one cycle. */
    static final int MOST = 256;
    private static final int LEAST = 4;

    private long before;
    private int cursor;

    /** {@return how many of so many have their turn in this cycle} */
    int due(final int size, final long now)
    {
        final long passed = Math.clamp(now - before, 0, INTERVAL);
        before = now;
        return Math.min(size, Math.clamp(size * passed / INTERVAL, LEAST, MOST));
    }

    /** {@return the index whose turn it is next, of so many; one that has had its turn may be removed from its list} */
    int next(final int size)
    {
        cursor = cursor <= 0 || cursor > size ? size - 1 : cursor - 1;
        return cursor;
    }
}
