package io.gannet.ring;

import io.gannet.os.Futex;

/**
 * Wakes whoever sleeps until a ring has more. The bell is a futex word in the ring's header, and beside it, on a line
 * of its own, stands a set of waiters, which is all that the hot side looks at:
 * <pre>
 *   sleeper                                    hot side
 *   v = bell                                   store (release) what the sleeper waits for
 *   add own bit to waiters                     load (opaque) waiters: 0 almost always
 *   membarrier                                 if not 0: exchange it for 0, raise bell, wake all
 *   look again for work
 *   sleep if bell = v, for a bounded time
 * </pre>
 * The membarrier puts a full fence between the store and the load of every hot thread: either the hot side sees the bit
 * or the sleeper sees the store. An opaque load stays behind the release store in compiled code, which is what the
 * processor-wide fence needs. Without membarrier the hot side fences itself (the ring says so in its header).
 * Clearing by the waker makes a dead sleeper cost one needless wake and no more. A waker that dies between exchange and
 * wake costs the sleeper its time-out.
 * <p>
 * Who sleeps in poll(2) instead, for sockets, adds {@link #WAITER_PIPE}; how that one is woken is up to the
 * {@link Waker}. A reader of several rings sleeps on all their bells at once with
 * {@link Futex#awaitAny(long[], int[], int, long)}. Thread-safe.
 */
public final class Bell
{
    /** Somebody sleeps on the futex. */
    public static final long WAITER_FUTEX = 1;
    /** The driver sleeps in poll(2) with a pipe among what it waits for. */
    public static final long WAITER_PIPE = 2;

    private final RingMemory memory;
    private final long waitersAddress;
    private final long bellAddress;
    private final boolean hotFence;
    private final Waker waker;

    /** Wakes the owners of waiter bits. Called seldom, from producing threads. */
    @FunctionalInterface
    public interface Waker
    {
        /**
         * Wakes.
         *
         * @param bellAddress futex word, raised already.
         * @param waiters     set of {@code WAITER_} bits, not 0.
         */
        void wake(long bellAddress, long waiters);
    }

    /** Wakes sleepers on the futex, all of them. */
    public static final Waker FUTEX_WAKER = (bellAddress, waiters) ->
    {
        if ((waiters & WAITER_FUTEX) != 0)
        {
            Futex.wake(bellAddress, Integer.MAX_VALUE);
        }
    };

    /** The bell of a ring. */
    public Bell(final Ring ring, final Waker waker)
    {
        memory = ring.memory();
        waitersAddress = ring.headerAddress() + RingLayout.WAITERS_OFFSET;
        bellAddress = ring.headerAddress() + RingLayout.BELL_OFFSET;
        hotFence = ring.hotFence();
        this.waker = waker;
    }

    /** Hot side: rings if anybody waits. To be called after the release store that sleepers wait for. */
    public void ringIfAwaited()
    {
        if (hotFence)
        {
            // Pairs with the sleeper's in fence().
            memory.fullFence();
        }
        if (memory.getLongOpaque(waitersAddress) != 0)
        {
            ring();
        }
    }

    /**
     * Rings whether or not anybody is said to wait: who took the waiters may have died before it woke them.
     */
    void ringAll()
    {
        memory.getAndSetLong(waitersAddress, 0);
        memory.getAndAddInt(bellAddress, 1);
        waker.wake(bellAddress, WAITER_FUTEX | WAITER_PIPE);
    }

    private void ring()
    {
        final long waiters = memory.getAndSetLong(waitersAddress, 0);
        if (waiters != 0)
        {
            // Pairs with the acquire in announce(): who has this value sees that the waiters were taken.
            memory.getAndAddInt(bellAddress, 1);
            waker.wake(bellAddress, waiters);
        }
    }

    /** Address of the futex word. */
    public long address()
    {
        return bellAddress;
    }

    /**
     * Sleeper: says that it will sleep. After this and one {@link #fence} for all its bells it must look for work
     * again before it sleeps on the word with the value returned.
     */
    public int announce(final long waiterBit)
    {
        // Pairs with the addition in ring().
        final int value = memory.getIntAcquire(bellAddress);
        long waiters;
        do
        {
            waiters = memory.getLongVolatile(waitersAddress);
        }
        while ((waiters & waiterBit) == 0 && !memory.compareAndSetLong(waitersAddress, waiters, waiters | waiterBit));
        return value;
    }

    /**
     * Sleeper: {@return whether a waiter's bit is set, so that the next one who publishes rings for it}
     */
    public boolean isAnnounced(final long waiterBit)
    {
        return (memory.getLongVolatile(waitersAddress) & waiterBit) != 0;
    }

    /** Sleeper: the fence between announcing and looking again. {@code hotFence} as {@link Ring#hotFence()} says. */
    public static void fence(final RingMemory memory, final boolean hotFence)
    {
        // Pairs with the fence in ringIfAwaited(), or is put there by the membarrier.
        if (hotFence)
        {
            memory.fullFence();
        }
        else
        {
            memory.fenceEverywhere();
        }
    }
}
