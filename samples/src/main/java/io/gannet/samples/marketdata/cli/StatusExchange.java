package io.gannet.samples.marketdata.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Gets a consistent copy of a working thread's state to a reporting thread, without a lock: the reporter asks, the
 * worker fills the holder between two steps, the reporter reads it.
 *
 * @param <T> holder of the copy.
 */
final class StatusExchange<T>
{
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final T holder;
    private volatile boolean wanted;

    StatusExchange(final T holder)
    {
        this.holder = holder;
    }

    /** For the worker: whether a copy is wanted; then it fills {@link #holder()} and calls {@link #filled()}. */
    boolean isWanted()
    {
        return wanted;
    }

    T holder()
    {
        return holder;
    }

    void filled()
    {
        wanted = false;
    }

    /** For the reporter: asks and waits; false if the worker is busy for longer, the holder is then not to be read. */
    boolean request(final long timeoutNanos)
    {
        wanted = true;
        final long start = System.nanoTime();
        while (wanted)
        {
            if (System.nanoTime() - start > timeoutNanos)
            {
                return false;
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
        return true;
    }
}
