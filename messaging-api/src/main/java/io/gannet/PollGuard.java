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
    private static final VarHandle TURN;
    private static final VarHandle OWNER;

    static
    {
        try
        {
            TURN = MethodHandles.lookup().findVarHandle(Owner.class, "turn", long.class);
            OWNER = MethodHandles.lookup().findVarHandle(PollGuard.class, "owner", Owner.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private Owner owner = new Owner(null);

    /** One thread's turns; its own object, so that a thread that is refused never touches the other's count. */
    static final class Owner
    {
        private final Thread thread;
        /** Of entries and exits: odd while it is inside. Written by the thread alone. */
        private long turn;

        Owner(final Thread thread)
        {
            this.thread = thread;
        }

        private boolean isInside()
        {
            return isInside(turn);
        }

        private static boolean isInside(final long turn)
        {
            return (turn & 1) != 0;
        }
    }

    /** Who was inside at a moment, if anybody, and at which turn. */
    record Stay(Owner owner, long turn)
    {
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
        if (current.isInside())
        {
            throw new IllegalStateException("poll from within a handler of the same subscription");
        }
        // Fenced against the other thread's store of the owner and the conductor's of what it closes. Release for
        // isOver(), which may find this and not the exit before it.
        TURN.setRelease(current, current.turn + 1);
        HotFence.hot();
        if (current() != current)
        {
            // Pairs as exit() does.
            TURN.setRelease(current, current.turn + 1);
            return takeOver();
        }
        return current;
    }

    /** Goes out. */
    void exit(final Owner current)
    {
        // Pairs with the acquires in isIdle(), isOver() and takeOver(): nothing of the poll comes after this.
        TURN.setRelease(current, current.turn + 1);
    }

    /** As out and in again at once, but nobody else gets in: what was closed meanwhile is seen after this. */
    void renew(final Owner current)
    {
        // Pairs as exit() does; fenced as in enter().
        TURN.setRelease(current, current.turn + 2);
        HotFence.hot();
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
        return current.thread == Thread.currentThread() && current.isInside();
    }

    /**
     * Whether nobody is inside. Who closed something and fenced by {@link HotFence#rare()} before this call knows then
     * that no poll uses it or will.
     */
    synchronized boolean isIdle()
    {
        // Pairs with the release in exit(): the poll has ended.
        return !Owner.isInside((long) TURN.getAcquire(owner));
    }

    /**
     * Who is inside now. Who closed something and fenced by {@link HotFence#rare()} before this call waits until
     * {@link #isOver} says so: a thread that goes in and out without a pause is hardly ever found outside.
     */
    synchronized Stay stay()
    {
        return new Stay(owner, (long) TURN.getAcquire(owner));
    }

    /**
     * Whether who was inside then has gone out since, or renewed its stay. What is inside now went in behind the
     * closer's fence, which found the turn before, and so knows what was closed.
     */
    synchronized boolean isOver(final Stay stay)
    {
        // Pairs with the releases in exit(), enter() and renew(): that poll has ended. An owner that was replaced was
        // outside.
        return stay.owner != owner || !Owner.isInside(stay.turn) || (long) TURN.getAcquire(owner) != stay.turn;
    }

    private synchronized Owner takeOver()
    {
        final Thread thread = Thread.currentThread();
        final Owner previous = owner;
        final Owner next = new Owner(thread);
        OWNER.setOpaque(this, next);
        HotFence.rare();
        // Pairs with the release in exit(): what the previous thread's polls left, this one finds.
        if (Owner.isInside((long) TURN.getAcquire(previous)))
        {
            OWNER.setOpaque(this, previous);
            throw new ConcurrentPollException("thread " + thread.getName() + " polls a subscription that thread " +
                previous.thread.getName() + " is polling: give each thread a subscription of its own");
        }
        // Opaque: isIdle() and the next thread come after it by the monitor.
        TURN.setOpaque(next, 1L);
        return next;
    }
}
