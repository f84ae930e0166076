package io.gannet.cli.recording;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps the distance in time that messages had.
 */
final class Pace
{
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final double LONGEST_NANOS = 1e18;

    private final double speed;
    private final Stop stop;
    private final long start = System.nanoTime();
    private long first = Long.MIN_VALUE;
    private long firstAt;

    /** Infinite speed never waits. */
    Pace(final double speed, final Stop stop)
    {
        this.speed = speed;
        this.stop = stop;
    }

    /** Returns when a message of that time is due, or it is stopped. */
    void await(final long time)
    {
        if (Double.isInfinite(speed))
        {
            return;
        }
        if (first == Long.MIN_VALUE)
        {
            first = time;
            firstAt = System.nanoTime();
        }
        // Also of a pause that lasts for ever at that speed.
        final long due = firstAt + (long) Math.min((time - first) / speed, LONGEST_NANOS);
        for (long left = due - System.nanoTime(); left > 0 && !stop.isStopped(); left = due - System.nanoTime())
        {
            LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
        }
    }

    double seconds()
    {
        return (System.nanoTime() - start) / 1e9;
    }
}
