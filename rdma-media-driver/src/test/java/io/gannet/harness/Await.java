package io.gannet.harness;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for a condition, never for a time.
 */
public final class Await
{
    /** Long enough for a machine that is busy with other things. */
    public static final long DEADLINE_SECONDS = Integer.getInteger("gannet.test.deadline", 60);

    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await()
    {
    }

    /**
     * Waits until {@code condition} holds.
     *
     * @param what      completes "waited 60 s for ...".
     * @param condition asked every few milliseconds.
     * @throws AssertionError after the deadline.
     */
    public static void until(final String what, final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new AssertionError("waited " + DEADLINE_SECONDS + " s for " + what);
            }
            if (Thread.currentThread().isInterrupted())
            {
                throw new AssertionError("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    /** Waits until {@code value} gives something other than null, and returns it. */
    public static <T> T value(final String what, final Supplier<T> value)
    {
        final Object[] found = new Object[1];
        until(what, () ->
        {
            found[0] = value.get();
            return found[0] != null;
        });
        @SuppressWarnings("unchecked")
        final T result = (T) found[0];
        return result;
    }
}
