package io.gannet.ring;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The slots of one concurrent producer, each of which records one claim, so that a claim whose process died can be told
 * from one whose owner is merely slow. States of a slot:
 * <pre>
 *   IDLE       no claim
 *   CLAIMING   step &lt;&lt; 5 | 1: about to take step bytes at the tail, or just did and didn't write down where
 *   PENDING    position | 2: took the bytes there (step in a word of its own) and hasn't committed
 * </pre>
 * A slot is taken for a claim by CAS from IDLE to CLAIMING, which is before the CAS of the tail for every observer.
 * Positions are multiples of {@link FrameHeader#ALIGNMENT}, which leaves the low five bits.
 * <p>
 * Slots of the ring belong to clients. A producer takes them as its threads need them, in powers of two. Each thread
 * begins its search at a place of its own, so that threads don't meet on one. Thread-safe.
 */
final class ClaimSlots
{
    /** No claim. */
    static final long IDLE = 0;
    /** Low bits of a claim that isn't written down yet. */
    static final long CLAIMING = 1;
    /** Low bits of a claim that is. */
    static final long PENDING = 2;
    /** The bits above. */
    static final long STATE_MASK = FrameHeader.ALIGNMENT - 1;
    /** Shift of a CLAIMING slot's step. */
    static final int STEP_SHIFT = 5;

    /** No slot is free. */
    static final int NONE = -1;

    private static final int MAX_OWN = 32;
    /** Slots held for threads that have offered, whether or not at once. */
    private static final int MAX_PLACES = 8;
    /** Of the ring, for such threads: the others are left to further clients and to claims that are open at once. */
    private static final int FOR_PLACES = RingLayout.MAX_SLOTS / 2;
    private static final int GIVEN_BACK = -1;
    private static final long LEAST_WAIT_NANOS = 50;
    private static final long MOST_WAIT_NANOS = 4_000;
    /** 128 bytes from one thread's to another's. */
    private static final int WAIT_SHIFT = 4;

    private final RingMemory memory;
    private final long header;
    private final long clientId;
    private final long[] addresses = new long[MAX_OWN];
    /** Threads by the slot at which they begin; 0 for none. Opaque: whatever is read, the slot is taken by CAS. */
    private final AtomicLongArray starts = new AtomicLongArray(MAX_OWN);
    /** Nanoseconds of the last wait, less one for each claim since, by slot. Opaque: nothing else depends on it. */
    private final AtomicLongArray waits = new AtomicLongArray((MAX_OWN + 2) << WAIT_SHIFT);
    /** The ring had no more slots for places when this wanted one. */
    private volatile boolean scarce;
    /** Slots held, a power of two or {@link #GIVEN_BACK}; those in {@link #addresses} below it are set before it is. */
    private volatile int held;

    ClaimSlots(final Ring ring, final long clientId)
    {
        memory = ring.memory();
        header = ring.headerAddress();
        this.clientId = clientId;
        if (!grow(0, RingLayout.MAX_SLOTS))
        {
            throw new IllegalStateException("all " + RingLayout.MAX_SLOTS + " claim slots of " + ring +
                " are taken: each client takes 1, up to " + MAX_PLACES +
                " for as many threads while half of all are free, and up to " + MAX_OWN +
                " if so many of them offer at once." +
                " Close publications of this stream, or use exclusive publications or more streams");
        }
    }

    /** Marks a slot CLAIMING and returns its index, or {@link #NONE}. */
    int acquire(final int step)
    {
        final long claiming = (long) step << STEP_SHIFT | CLAIMING;
        final long thread = Thread.currentThread().threadId();
        int count;
        do
        {
            count = held;
            if (count == GIVEN_BACK)
            {
                return NONE;
            }
            final int start = start(thread, count);
            for (int i = 0; i < count; i++)
            {
                final int index = (start + i) & (count - 1);
                final long state = addresses[index] + RingLayout.SLOT_STATE;
                // The CAS orders the record before the CAS of the tail.
                if (memory.getLongOpaque(state) == IDLE && memory.compareAndSetLong(state, IDLE, claiming))
                {
                    return index;
                }
            }
        }
        while (grow(count, RingLayout.MAX_SLOTS));
        return NONE;
    }

    /** Where a thread's search begins: a place of its own, as long as threads are no more than {@link #MAX_PLACES}. */
    private int start(final long thread, final int count)
    {
        final int start = (int) thread & (count - 1);
        return starts.getOpaque(start) == thread ? start : place(thread, start, count);
    }

    private int place(final long thread, final int start, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final int index = (start + i) & (count - 1);
            final long owner = starts.getOpaque(index);
            if (owner == 0)
            {
                starts.setOpaque(index, thread);
            }
            if (owner == 0 || owner == thread)
            {
                return index;
            }
        }
        if (count < MAX_PLACES && !scarce)
        {
            scarce = !grow(count, FOR_PLACES);
        }
        return start;
    }

    /** Waits a moment, as another thread took the tail first: the longer the more often that happened of late. */
    void backOff(final int index)
    {
        final int at = (index + 1) << WAIT_SHIFT;
        final long nanos = Math.min(waits.getOpaque(at) * 2 + LEAST_WAIT_NANOS, MOST_WAIT_NANOS);
        waits.setOpaque(at, nanos);
        Backoff.await(nanos);
    }

    /** Doubles the slots held, unless another thread just did; false if there are no more among the first. */
    private synchronized boolean grow(final int seen, final int first)
    {
        if (held != seen)
        {
            return true;
        }
        if (seen == GIVEN_BACK)
        {
            return false;
        }
        final int wanted = seen == 0 ? 1 : seen * 2;
        if (wanted > MAX_OWN)
        {
            return false;
        }
        int next = seen;
        for (int i = 0; i < first && next < wanted; i++)
        {
            final long slot = header + RingLayout.slotOffset(i);
            // For atomicity alone: what a slot's owner may do depends on its state. Not IDLE is what a thread left that
            // was late to notice a close and died: as the slot of a living client that would look like a claim.
            if (memory.getLongOpaque(slot + RingLayout.SLOT_CLIENT_ID) == 0 &&
                memory.getLongOpaque(slot + RingLayout.SLOT_STATE) == IDLE &&
                memory.compareAndSetLong(slot + RingLayout.SLOT_CLIENT_ID, 0, clientId))
            {
                addresses[next++] = slot;
            }
        }
        if (next < wanted)
        {
            for (int i = seen; i < next; i++)
            {
                memory.putLongOpaque(addresses[i] + RingLayout.SLOT_CLIENT_ID, 0);
            }
            return false;
        }
        for (int i = 0; i < seen; i++)
        {
            starts.setOpaque(i, 0);
        }
        held = wanted;
        return true;
    }

    /** Writes down where the claim is, before anything is stored there. */
    void pending(final int index, final long position, final int step)
    {
        final long slot = addresses[index];
        // Pairs with the acquire fence in HoleRepair: who sees this step sees that the slot's last claim has ended.
        memory.putLongRelease(slot + RingLayout.SLOT_STEP, step);
        // Pairs with the acquire in HoleRepair: who sees the position sees the step.
        memory.putLongRelease(slot + RingLayout.SLOT_STATE, position | PENDING);
        // And no byte of the frame is stored before the record.
        memory.storeStoreFence();
        final int at = (index + 1) << WAIT_SHIFT;
        final long wait = waits.getOpaque(at);
        if (wait > 0)
        {
            waits.setOpaque(at, wait - 1);
        }
    }

    /** Ends the record of a claim that was committed or never made. */
    void release(final int index)
    {
        // Pairs with the acquire in HoleRepair: who sees IDLE sees the commit.
        memory.putLongRelease(addresses[index] + RingLayout.SLOT_STATE, IDLE);
    }

    /** Gives all slots back, for good, if none has a claim; else false. */
    synchronized boolean giveBackIfIdle()
    {
        final int count = held;
        for (int i = 0; i < count; i++)
        {
            // Pairs with the release of a slot: the claim was committed.
            if (memory.getLongAcquire(addresses[i] + RingLayout.SLOT_STATE) != IDLE)
            {
                return false;
            }
        }
        // For good: a thread that is late to notice the close must not take slots that nobody would give back.
        held = GIVEN_BACK;
        for (int i = 0; i < count; i++)
        {
            memory.putLongOpaque(addresses[i] + RingLayout.SLOT_CLIENT_ID, 0);
        }
        return true;
    }
}
