package io.gannet.ring;

/**
 * Finds the claim of a concurrent ring that has been open the longest, as the claim slots say. For one thread at a
 * time; makes no garbage.
 */
public final class ClaimView
{
    private final RingMemory memory;
    private final long header;
    private long position;
    private long clientId;
    private long length;

    /** Of a concurrent ring. */
    public ClaimView(final Ring ring)
    {
        memory = ring.memory();
        header = ring.headerAddress();
    }

    /** Looks once; whether there is an open claim that has its position. */
    public boolean findOldest()
    {
        position = RingLayout.FREE;
        for (int i = 0; i < RingLayout.MAX_SLOTS; i++)
        {
            final long slot = header + RingLayout.slotOffset(i);
            // Pairs with the release in ClaimSlots.pending: client and length are those of this claim or a later one.
            final long state = memory.getLongAcquire(slot + RingLayout.SLOT_STATE);
            final long claimed = state & ~ClaimSlots.STATE_MASK;
            if ((state & ClaimSlots.STATE_MASK) == ClaimSlots.PENDING && claimed < position)
            {
                position = claimed;
                clientId = memory.getLongOpaque(slot + RingLayout.SLOT_CLIENT_ID);
                length = memory.getLongOpaque(slot + RingLayout.SLOT_STEP);
            }
        }
        return position != RingLayout.FREE;
    }

    /** Where it is; after a look that found one, as are the next two. */
    public long position()
    {
        return position;
    }

    /** Whose it is. */
    public long clientId()
    {
        return clientId;
    }

    /** Bytes of it, header included. */
    public long length()
    {
        return length;
    }
}
