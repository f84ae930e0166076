package io.gannet.ring;

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
 * Slots of the ring belong to clients. A producer takes them as its threads need them, in powers of two, and starts its
 * search at the calling thread's number, so that threads seldom meet on one. Thread-safe.
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
    private static final int GIVEN_BACK = -1;

    private final RingMemory memory;
    private final long header;
    private final long clientId;
    private final long[] addresses = new long[MAX_OWN];
    /** Slots held, a power of two or {@link #GIVEN_BACK}; those in {@link #addresses} below it are set before it is. */
    private volatile int held;

    ClaimSlots(final Ring ring, final long clientId)
    {
        memory = ring.memory();
        header = ring.headerAddress();
        this.clientId = clientId;
        if (!grow(0))
        {
            throw new IllegalStateException("all " + RingLayout.MAX_SLOTS + " claim slots of " + ring +
                " are taken: each client takes 1, and up to " + MAX_OWN + " if so many of its threads offer at once." +
                " Close publications of this stream, or use exclusive publications or more streams");
        }
    }

    /** Marks a slot CLAIMING and returns its index, or {@link #NONE}. */
    int acquire(final int step)
    {
        final long claiming = (long) step << STEP_SHIFT | CLAIMING;
        final int start = (int) Thread.currentThread().threadId();
        int count;
        do
        {
            count = held;
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
        while (grow(count));
        return NONE;
    }

    /** Doubles the slots held, unless another thread just did; false if there are no more. */
    private synchronized boolean grow(final int seen)
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
        for (int i = 0; i < RingLayout.MAX_SLOTS && next < wanted; i++)
        {
            final long slot = header + RingLayout.slotOffset(i);
            // For atomicity alone: what a slot's owner may do depends on its state.
            if (memory.getLongOpaque(slot + RingLayout.SLOT_CLIENT_ID) == 0 &&
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
