package io.gannet.ring;

import java.util.function.LongPredicate;

/**
 * Fills the holes that dead clients left in a concurrent ring: claimed ranges that nobody will ever commit. For the
 * conductor alone, one thread; to be called again until it says that nothing is left.
 * <p>
 * A hole at h belongs to the slot that is PENDING at h. If there is none, its owner is CLAIMING, between the CAS of the
 * tail and its record: if some living client's slot is CLAIMING it may be that one's, and the next call will tell;
 * otherwise it is a dead one's. Such an owner hasn't stored anything yet, so the hole, and those of further dead ones
 * behind it, reach to the next word that isn't zero or the next PENDING position or the tail.
 * <p>
 * The dead one's duties are done for it: zero half a ring ahead, then commit, as padding. A frame of the living is
 * never touched, however long it takes.
 */
public final class HoleRepair
{
    private static final int RESTARTS = 16;

    private final Ring ring;
    private final RingMemory memory;
    private final long header;
    private final GatingList list;
    private final Bell bell;
    private long paddedBytes;
    private long blockingPosition;
    private long blockingClient;
    /** What the last look at the slots found. */
    private int owner;
    private boolean livingClaims;
    private boolean deadClaims;
    private long nextPending;

    /** Of a concurrent ring. */
    public HoleRepair(final Ring ring, final Bell.Waker waker)
    {
        if (ring.kind() != RingKind.CONCURRENT)
        {
            throw new IllegalArgumentException(ring + ": only concurrent rings have holes");
        }
        this.ring = ring;
        memory = ring.memory();
        header = ring.headerAddress();
        list = new GatingList(ring);
        bell = new Bell(ring, waker);
    }

    /**
     * Fills what can be filled and frees the slots of the dead.
     *
     * @param dead which clients are dead, or have no producer of the ring: none of their stores can come any more.
     *             Asked at each call, as a client may come back; its answers must not change during one.
     * @return whether nothing of theirs is left.
     */
    public boolean repair(final LongPredicate dead)
    {
        blockingPosition = -1;
        blockingClient = 0;
        for (int i = 0; i < RESTARTS; i++)
        {
            // Claims of the dead are below it.
            final long tail = memory.getLongVolatile(header + RingLayout.TAIL_OFFSET);
            final long start = start();
            final long reached = start < 0 ? tail : walk(start, tail, dead);
            if (reached >= tail)
            {
                freeSlots(dead);
                return true;
            }
            if (reached >= 0)
            {
                return false;
            }
        }
        return false;
    }

    /** The furthest position that a local reader has released, or the floor; -1 if neither is known. */
    private long start()
    {
        long furthest = -1;
        for (int i = 0, size = list.size(); i < size; i++)
        {
            final long position = list.position(i);
            if (position != RingLayout.FREE && list.kind(i) != GatingList.Kind.REMOTE)
            {
                furthest = Math.max(furthest, position);
            }
        }
        // The conductor's own store, or its predecessor's.
        final long floor = memory.getLongOpaque(header + RingLayout.FLOOR_OFFSET);
        return furthest >= 0 ? furthest : floor == RingLayout.FREE ? -1 : floor;
    }

    /** Position reached, the tail if all is done; -1 to start again because readers went by. */
    private long walk(final long start, final long tail, final LongPredicate dead)
    {
        final int maxFrameLength = RingLayout.maxFrameLength(RingKind.CONCURRENT, ring.capacity());
        long position = start;
        while (position < tail)
        {
            // May be what was stored over it meanwhile, and then the readers are past it. Whoever stored that had seen
            // them past it, and so does this thread after it has seen the store: x86 and Arm v8 are multi-copy atomic.
            final int length = memory.getIntAcquire(ring.addressOf(position));
            if (readersArePast(position))
            {
                return -1;
            }
            if (length != 0)
            {
                if (length < FrameHeader.HEADER_LENGTH || length > maxFrameLength)
                {
                    throw new CorruptRingException(position, ring + " has a frame of " + length + " at " + position);
                }
                position += FrameHeader.align(length);
                continue;
            }
            final long next = step(position, tail, dead);
            if (next < 0)
            {
                return position;
            }
            position = next;
        }
        return position;
    }

    /**
     * Whether no reader of this host gates at or below {@code position}, so that its bytes may have been overwritten.
     * What a remote one says of itself isn't relied on.
     */
    private boolean readersArePast(final long position)
    {
        long minimum = memory.getLongOpaque(header + RingLayout.FLOOR_OFFSET);
        for (int i = 0, size = list.size(); i < size; i++)
        {
            if (list.kind(i) != GatingList.Kind.REMOTE)
            {
                minimum = Math.min(minimum, list.position(i));
            }
        }
        return minimum > position;
    }

    /** Position behind an uncommitted frame, the same position to look again, or -1 if that can't be told yet. */
    private long step(final long position, final long tail, final LongPredicate dead)
    {
        examineSlots(position, tail, dead);
        if (owner >= 0)
        {
            final long slot = header + RingLayout.slotOffset(owner);
            final long client = memory.getLongOpaque(slot + RingLayout.SLOT_CLIENT_ID);
            final long step = memory.getLongOpaque(slot + RingLayout.SLOT_STEP);
            // Pairs with the release of the step: if it is a later claim's, the state isn't this one's any more.
            memory.acquireFence();
            if (memory.getLongOpaque(slot + RingLayout.SLOT_STATE) != (position | ClaimSlots.PENDING))
            {
                return position;
            }
            checkStep(owner, position, step, tail);
            if (dead.test(client))
            {
                pad(position, position + step);
                // Opaque: the padding was released by its commit, and nobody else looks at a dead one's slot.
                memory.putLongOpaque(slot + RingLayout.SLOT_STATE, ClaimSlots.IDLE);
            }
            else if (blockingPosition < 0)
            {
                blockingPosition = position;
                blockingClient = client;
            }
            return position + step;
        }
        // Pairs with a commit that came after the look at it and before the look at the slots. It may be consumed and
        // zeroed again by now: then the readers are past it, as in walk().
        if (memory.getIntAcquire(ring.addressOf(position)) != 0 || readersArePast(position))
        {
            return position;
        }
        if (livingClaims || !deadClaims)
        {
            return -1;
        }
        final long end = endOfZeroes(position, nextPending);
        pad(position, end);
        return end;
    }

    /** Anybody may have written into the header: with such a step the walk would never end, or pad beyond the tail. */
    private void checkStep(final int slot, final long position, final long step, final long tail)
    {
        if (step < FrameHeader.ALIGNMENT || step > tail - position || step % FrameHeader.ALIGNMENT != 0 ||
            step > RingLayout.maxFrameLength(RingKind.CONCURRENT, ring.capacity()))
        {
            throw new CorruptRingException(
                position, ring + " has a claim of " + step + " bytes at " + position + " in slot " + slot);
        }
    }

    /**
     * Reads all slots. What was claimed below the tail, which was read before, and isn't committed after this, was
     * CLAIMING or PENDING all the while, and so is found here.
     */
    private void examineSlots(final long position, final long tail, final LongPredicate dead)
    {
        owner = -1;
        livingClaims = false;
        deadClaims = false;
        nextPending = tail;
        for (int i = 0; i < RingLayout.MAX_SLOTS; i++)
        {
            final long slot = header + RingLayout.slotOffset(i);
            // Opaque: an owner of a claim below the tail took the slot before the tail, which was acquired.
            final long client = memory.getLongOpaque(slot + RingLayout.SLOT_CLIENT_ID);
            if (client == 0)
            {
                continue;
            }
            // Pairs with the releases in ClaimSlots.
            final long state = memory.getLongAcquire(slot + RingLayout.SLOT_STATE);
            if ((state & ClaimSlots.STATE_MASK) == ClaimSlots.CLAIMING)
            {
                final boolean isDead = dead.test(client);
                deadClaims |= isDead;
                livingClaims |= !isDead;
            }
            else if ((state & ClaimSlots.STATE_MASK) == ClaimSlots.PENDING)
            {
                final long pending = state & ~ClaimSlots.STATE_MASK;
                if (pending == position)
                {
                    owner = i;
                }
                else if (pending > position)
                {
                    nextPending = Math.min(nextPending, pending);
                }
            }
        }
    }

    private long endOfZeroes(final long start, final long limit)
    {
        long position = start;
        // Pairs with the commits of the living behind the hole.
        while (position < limit && memory.getIntAcquire(ring.addressOf(position)) == 0)
        {
            position += FrameHeader.ALIGNMENT;
        }
        return position;
    }

    private void pad(final long start, final long end)
    {
        final long half = (long) ring.capacity() >> 1;
        final int maxFrameLength = RingLayout.maxFrameLength(RingKind.CONCURRENT, ring.capacity());
        long position = start;
        while (position < end)
        {
            final int length = (int) Math.min(end - position, maxFrameLength);
            final long frame = ring.addressOf(position);
            memory.setMemory(ring.addressOf(position + half), length, (byte) 0);
            memory.putInt(frame + FrameHeader.KIND_OFFSET, FrameHeader.KIND_PADDING);
            // Pairs with the acquire in RingReader, as a producer's commit.
            memory.putIntRelease(frame, length);
            position += length;
            paddedBytes += length;
        }
        bell.ringIfAwaited();
    }

    private void freeSlots(final LongPredicate dead)
    {
        boolean freed = false;
        for (int i = 0; i < RingLayout.MAX_SLOTS; i++)
        {
            final long slot = header + RingLayout.slotOffset(i);
            final long client = memory.getLongOpaque(slot + RingLayout.SLOT_CLIENT_ID);
            if (client != 0 && dead.test(client))
            {
                // Opaque: a next owner that doesn't see it IDLE yet takes another slot, and claims by CAS from IDLE.
                memory.putLongOpaque(slot + RingLayout.SLOT_STATE, ClaimSlots.IDLE);
                memory.putLongOpaque(slot + RingLayout.SLOT_CLIENT_ID, 0);
                freed = true;
            }
        }
        if (freed)
        {
            // A dead one may have taken the waiters and woken nobody.
            bell.ringAll();
        }
    }

    /** Bytes filled so far. */
    public long paddedBytes()
    {
        return paddedBytes;
    }

    /** First position that a living client has claimed and not committed, as the last call met it; -1 for none. */
    public long blockingPosition()
    {
        return blockingPosition;
    }

    /** Client that holds {@link #blockingPosition()}; 0 for none. */
    public long blockingClient()
    {
        return blockingClient;
    }
}
