package io.gannet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps a second thread out of a subscription that is being polled, and tells the conductor whether a poll is going on,
 * at the cost of two stores and three loads per poll, without a fence. The thread that polled last owns the guard;
 * another thread takes it over when the owner isn't inside, and is refused when it is: two are never inside together.
 * See {@link HotFence} for the order of the accesses.
 */
final class PollGuard
{
    private static final VarHandle BUSY;
    private static final VarHandle OWNER;

    static
    {
        try
        {
            BUSY = MethodHandles.lookup().findVarHandle(Owner.class, "busy", boolean.class);
            OWNER = MethodHandles.lookup().findVarHandle(PollGuard.class, "owner", Owner.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private Owner owner = new Owner(null);

    /** One thread's turn; its own object, so that a thread that is refused never touches the other's flag. */
    static final class Owner
    {
        private final Thread thread;
        private boolean busy;

        Owner(final Thread thread)
        {
            this.thread = thread;
        }
    }

    /**
     * The calling thread goes in.
     *
     * @return for {@link #exit}.
     * @throws ConcurrentPollException if another thread is inside.
     * @throws IllegalStateException   if this thread is inside already.
     */
    Owner enter()
    {
        final Owner current = current();
        if (current.thread != Thread.currentThread())
        {
            return takeOver();
        }
        if (current.busy)
        {
            throw new IllegalStateException("poll from within a handler of the same subscription");
        }
        // Fenced against the other thread's store of the owner and the conductor's of what it closes.
        BUSY.setOpaque(current, true);
        HotFence.hot();
        if (current() != current)
        {
            // Pairs as exit() does.
            BUSY.setRelease(current, false);
            return takeOver();
        }
        return current;
    }

    /** Goes out. */
    void exit(final Owner current)
    {
        // Pairs with the acquires in isIdle() and takeOver(): nothing of the poll comes after this.
        BUSY.setRelease(current, false);
    }

    /**
     * Opaque, as the fences of both sides do the ordering: an owner's thread is final, and its flag is loaded by others
     * only under the monitor, under which owners change.
     */
    private Owner current()
    {
        return (Owner) OWNER.getOpaque(this);
    }

    /** Whether the calling thread is inside. */
    boolean isInside()
    {
        final Owner current = current();
        return current.thread == Thread.currentThread() && current.busy;
    }

    /**
     * Whether nobody is inside. Who closed something and fenced by {@link HotFence#rare()} before this call knows then
     * that no poll uses it or will.
     */
    synchronized boolean isIdle()
    {
        // Pairs with the release in exit(): the poll has ended.
        return !(boolean) BUSY.getAcquire(owner);
    }

    private synchronized Owner takeOver()
    {
        final Thread thread = Thread.currentThread();
        final Owner previous = owner;
        final Owner next = new Owner(thread);
        OWNER.setOpaque(this, next);
        HotFence.rare();
        // Pairs with the release in exit(): what the previous thread's polls left, this one finds.
        if ((boolean) BUSY.getAcquire(previous))
        {
            OWNER.setOpaque(this, previous);
            throw new ConcurrentPollException("thread " + thread.getName() + " polls a subscription that thread " +
                previous.thread.getName() + " is polling: give each thread a subscription of its own");
        }
        // Opaque: isIdle() and the next thread come after it by the monitor.
        BUSY.setOpaque(next, true);
        return next;
    }
}
