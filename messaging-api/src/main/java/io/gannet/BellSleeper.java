package io.gannet;

import io.gannet.os.Futex;
import io.gannet.os.OsException;
import io.gannet.ring.Bell;
import io.gannet.ring.Ring;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One sleep on the bells of several rings and other futex words at once: {@link #begin}, the words and rings, which are
 * told of the sleep, {@link #fence}, a last look for work by the caller, {@link #sleep}. Can be used again. For one
 * thread at a time, which keeps the rings from being freed.
 */
final class BellSleeper
{
    private static final long LONGEST_SLEEP = TimeUnit.SECONDS.toNanos(1);
    /** Where the kernel or the number of images doesn't allow to sleep on all bells. */
    private static final long SHORT_SLEEP = TimeUnit.MILLISECONDS.toNanos(1);

    private final long[] addresses = new long[Futex.MAX_WORDS];
    private final int[] values = new int[Futex.MAX_WORDS];
    private int count;
    private Ring fenced;
    private boolean many = true;

    /** Whether the kernel sleeps on so many words at once. */
    boolean fits(final int words)
    {
        return words <= (many ? Futex.MAX_WORDS : 1);
    }

    /** Instead of a sleep on words that don't {@link #fits fit}. */
    static void sleepShortly(final long timeoutNanos)
    {
        LockSupport.parkNanos(Math.min(timeoutNanos, SHORT_SLEEP));
    }

    /** Forgets all words. */
    void begin()
    {
        count = 0;
        fenced = null;
    }

    /** Adds a word that is to have this value. */
    void add(final long address, final int value)
    {
        addresses[count] = address;
        values[count++] = value;
    }

    /** Adds the bells of rings. */
    void add(final RingImage[] images)
    {
        for (final RingImage image : images)
        {
            final Ring ring = image.ring();
            final Bell bell = new Bell(ring, Bell.FUTEX_WAKER);
            add(bell.address(), bell.announce(Bell.WAITER_FUTEX));
            if (fenced == null || !ring.hotFence())
            {
                // One fence is for all rings: the strongest that any of them asks for.
                fenced = ring;
            }
        }
    }

    /**
     * The fence between announcing and looking again, see {@link Bell}.
     *
     * @return false if there is no ring, and so nothing to look at.
     */
    boolean fence()
    {
        if (fenced != null)
        {
            Bell.fence(fenced.memory(), fenced.hotFence());
        }
        return fenced != null;
    }

    /** Sleeps, at most so long and at most a second; may return early. */
    void sleep(final long timeoutNanos)
    {
        final long timeout = Math.min(timeoutNanos, LONGEST_SLEEP);
        try
        {
            if (count == 1)
            {
                Futex.await(addresses[0], values[0], timeout);
            }
            else
            {
                Futex.awaitAny(addresses, values, count, timeout);
            }
        }
        catch (final OsException ex)
        {
            // A ring whose file was cut can't be slept on; else it is the kernel that can't.
            many = FaultedRings.explain() && many;
        }
    }
}
