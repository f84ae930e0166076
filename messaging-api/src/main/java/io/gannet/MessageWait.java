package io.gannet;

import io.gannet.os.Futex;
import io.gannet.os.OsException;
import io.gannet.ring.Bell;
import io.gannet.ring.Ring;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sleeps until one of several rings has more, or the list of rings changes: on the bells of all rings and a word of its
 * own at once. One sleeper; {@link #wake()} is for any thread.
 */
final class MessageWait
{
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final long LONGEST_SLEEP = TimeUnit.SECONDS.toNanos(1);
    /** Where the kernel or the number of images doesn't allow to sleep on all bells. */
    private static final long SHORT_SLEEP = TimeUnit.MILLISECONDS.toNanos(1);

    private final MemorySegment word = Arena.ofAuto().allocate(Integer.BYTES, Integer.BYTES);
    private final long[] addresses = new long[Futex.MAX_WORDS];
    private final int[] values = new int[Futex.MAX_WORDS];
    private boolean many = true;

    /** To be taken before looking for work: a {@link #wake()} after it ends the wait. */
    int ticket()
    {
        // Pairs with the addition in wake(): who sees the new value sees what it is about.
        return (int) INT.getAcquire(word, 0L);
    }

    /** Ends the wait. */
    void wake()
    {
        // Pairs with the acquire in ticket(). A sleeper that has the old value is woken, or doesn't fall asleep.
        INT.getAndAdd(word, 0L, 1);
        Futex.wake(word.address(), 1);
    }

    /** Sleeps, at most so long; may return early. The caller holds the guard, so the rings stay. */
    void await(final RingImage[] images, final int ticket, final long timeoutNanos)
    {
        final long timeout = Math.min(timeoutNanos, LONGEST_SLEEP);
        if (images.length >= Futex.MAX_WORDS || (!many && images.length > 0))
        {
            LockSupport.parkNanos(Math.min(timeout, SHORT_SLEEP));
            return;
        }
        int count = 0;
        addresses[count] = word.address();
        values[count++] = ticket;
        for (final RingImage image : images)
        {
            final Ring ring = image.ring();
            final Bell bell = new Bell(ring, Bell.FUTEX_WAKER);
            values[count] = bell.announce(Bell.WAITER_FUTEX);
            addresses[count++] = bell.address();
        }
        if (images.length > 0)
        {
            final Ring first = images[0].ring();
            Bell.fence(first.memory(), first.hotFence());
            if (RingSubscription.isReady(images))
            {
                return;
            }
        }
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
