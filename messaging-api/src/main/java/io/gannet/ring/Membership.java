package io.gannet.ring;

/**
 * Joining and leaving a ring's gating list. For the conductor alone, one thread.
 * <p>
 * Joining goes in steps of which each leaves the ring right if the conductor dies after it:
 * <ol>
 * <li>describe the entry and raise the version, so that whoever finds it knows whose it is;</li>
 * <li>enter at a position that is safe to be at, whatever producers do meanwhile, and raise the version;</li>
 * <li>full fence: from here on every refresh of a producer has the entry;</li>
 * <li>read again how far the ring had come: no refresh without the entry has gone by more than that, so the bytes from
 *     there on are stable ({@link RingLayout#slack} covers the coarse position's lag);</li>
 * <li>walk from there to the first uncommitted frame and raise the entry to it, never further: below a position that
 *     gates, everything must be committed.</li>
 * </ol>
 * In a concurrent ring the last leaver's position stays as floor, which gates like a subscriber and is where the next
 * joiner starts to walk.
 */
public final class Membership
{
    private static final int POLLING = 1;
    private static final int DROP_REQUESTED = 1;
    private static final int DROP_DONE = 2;

    private static final long NOT_RESTING = -1;

    private final Ring ring;
    private final RingMemory memory;
    private final long header;
    private final GatingList list;
    private final int[] dropStates = new int[RingLayout.MAX_ENTRIES];
    private long leftAt;

    /** Of a ring. */
    public Membership(final Ring ring)
    {
        this.ring = ring;
        memory = ring.memory();
        header = ring.headerAddress();
        list = new GatingList(ring);
    }

    /** The list that this changes. */
    public GatingList list()
    {
        return list;
    }

    /**
     * Adds an entry at the live position. A subscriber who is the first is there for all that is published from the
     * moment on in which it makes the publication connected.
     *
     * @return its index.
     * @throws IllegalStateException if the ring has {@link RingLayout#MAX_ENTRIES} already, or if a remote subscriber
     *                               joins a concurrent ring that has no sender yet.
     */
    public int join(final GatingList.Kind kind, final long clientId, final long registrationId)
    {
        final int index = unusedEntry();
        final long start = knownPosition(index);
        // Where nobody subscribes nobody publishes: the ring rests until this entry is seen.
        final long resting = isUnread() ? walk(start) : NOT_RESTING;
        describe(index, kind, clientId, registrationId, start);
        // Before it enters, or a look of the version before would take it for what it was last.
        changed();
        // Enters. Pairs with the acquire in GatingList.position.
        memory.putLongRelease(list.positionAddress(index), start);
        changed();
        // Pairs with the fence in GatingMinimum.refresh.
        memory.fullFence();
        final long live = firstOr(resting, walk(knownPosition(index)));
        memory.putLongOpaque(list.field(index, RingLayout.ENTRY_JOIN_POSITION), live);
        // Raises. Pairs with the acquire in GatingList.position: all below was seen to be committed.
        memory.putLongRelease(list.positionAddress(index), live);
        // Opaque, here and below: a scan counts only if the version, raised after it, is the same before and behind.
        memory.putLongOpaque(header + RingLayout.FLOOR_OFFSET, RingLayout.FREE);
        changed();
        return index;
    }

    /** Whether nobody is there whom producers would publish for; a sender alone is no subscriber. */
    private boolean isUnread()
    {
        for (int i = 0, size = list.size(); i < size; i++)
        {
            if (list.position(i) != RingLayout.FREE && list.kind(i) != GatingList.Kind.SENDER)
            {
                return false;
            }
        }
        return ring.kind() != RingKind.IMAGE;
    }

    /**
     * Producers may have gone on meanwhile: those that saw this entry, by a window from where it was entered, and those
     * that were late to see that the subscriber before had left, by a window from where that was; both are at or below
     * the resting position. So they have not overwritten what they passed, unless the list was damaged.
     */
    private long firstOr(final long resting, final long live)
    {
        return resting != NOT_RESTING && live - resting <= RingLayout.window(ring.kind(), ring.capacity()) ?
            resting : live;
    }

    private int unusedEntry()
    {
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            if (list.kind(i) == GatingList.Kind.NONE)
            {
                return i;
            }
        }
        throw new IllegalStateException(ring + " has " + RingLayout.MAX_ENTRIES +
            " subscribers, the most that a ring can have; close one or use another stream");
    }

    private void describe(
        final int index,
        final GatingList.Kind kind,
        final long clientId,
        final long registrationId,
        final long position)
    {
        memory.putLongOpaque(list.field(index, RingLayout.ENTRY_CLIENT_ID), clientId);
        memory.putLongOpaque(list.field(index, RingLayout.ENTRY_REGISTRATION_ID), registrationId);
        memory.putLongOpaque(list.field(index, RingLayout.ENTRY_JOIN_POSITION), position);
        memory.putLong(list.field(index, RingLayout.ENTRY_POLL_STATE), 0);
        memory.putLong(list.field(index, RingLayout.ENTRY_DROP), 0);
        dropStates[index] = 0;
        memory.putIntOpaque(list.field(index, RingLayout.ENTRY_GENERATION), list.generation(index) + 1);
        memory.putIntOpaque(list.field(index, RingLayout.ENTRY_KIND), kind.code());
        if (index >= list.size())
        {
            memory.putIntOpaque(header + RingLayout.ENTRIES_IN_USE_OFFSET, index + 1);
        }
    }

    private void changed()
    {
        final long version = header + RingLayout.GATING_VERSION_OFFSET;
        // Pairs with the acquire in GatingMinimum.refresh.
        memory.putLongRelease(version, memory.getLong(version) + 1);
    }

    /** A frame start below which all is committed, and from which on nothing is overwritten once it gates. */
    private long knownPosition(final int joiner)
    {
        if (ring.kind() != RingKind.CONCURRENT)
        {
            // Pairs with the producer's release: all below is committed.
            return memory.getLongAcquire(header + RingLayout.COARSE_OFFSET);
        }
        final long position = furthestReader(joiner);
        if (position >= 0)
        {
            return position;
        }
        final long floor = memory.getLongOpaque(header + RingLayout.FLOOR_OFFSET);
        if (floor == RingLayout.FREE)
        {
            throw new IllegalStateException(
                ring + " has remote subscribers and no sender, so that no frame's start is known");
        }
        return floor;
    }

    /** Furthest position stored on this host, as remote ones aren't to be trusted; -1 for none. */
    private long furthestReader(final int except)
    {
        long furthest = -1;
        for (int i = 0, size = list.size(); i < size; i++)
        {
            final long position = list.position(i);
            if (i != except && position != RingLayout.FREE && list.kind(i) != GatingList.Kind.REMOTE)
            {
                furthest = Math.max(furthest, position);
            }
        }
        return furthest;
    }

    /**
     * Position of the first frame that isn't committed, or one close before it if the producer is fast. The bytes from
     * {@code start} on must be stable.
     */
    private long walk(final long start)
    {
        if (ring.kind() == RingKind.IMAGE)
        {
            return start;
        }
        final long end = ring.kind() == RingKind.CONCURRENT ?
            memory.getLongVolatile(header + RingLayout.TAIL_OFFSET) : start + RingLayout.COARSE_INTERVAL;
        long position = start;
        while (position < end)
        {
            // Pairs with the producer's release of the length, whose reader will rely on it.
            final int length = memory.getIntAcquire(ring.addressOf(position));
            if (length == 0)
            {
                break;
            }
            if (length < FrameHeader.HEADER_LENGTH || length > RingLayout.maxFrameLength(ring.kind(), ring.capacity()))
            {
                throw new CorruptRingException(position, ring + " has a frame of " + length + " bytes at " + position);
            }
            position += FrameHeader.align(length);
        }
        return position;
    }

    /**
     * Position after the last frame committed, of a ring whose producers have ended and, if it is a concurrent one,
     * whose holes are repaired.
     */
    public long finalPosition()
    {
        return switch (ring.kind())
        {
            case CONCURRENT -> memory.getLongVolatile(header + RingLayout.TAIL_OFFSET);
            default -> walk(memory.getLongAcquire(header + RingLayout.COARSE_OFFSET));
        };
    }

    /**
     * How far a ring has come, exactly unless its producer is too fast to be followed; no gate keeps it from going on.
     *
     * @param known a position that this returned before, so that a ring that rests costs one load; or 0.
     * @return at least the position that the producers tell.
     */
    public long livePosition(final long known)
    {
        if (ring.kind() != RingKind.EXCLUSIVE)
        {
            return memory.getLongAcquire(
                header + (ring.kind() == RingKind.CONCURRENT ? RingLayout.TAIL_OFFSET : RingLayout.RECEIVED_OFFSET));
        }
        final long told = memory.getLongAcquire(header + RingLayout.COARSE_OFFSET);
        long position = known > told && known - told <= RingLayout.COARSE_INTERVAL ? known : told;
        final long end = told + RingLayout.COARSE_INTERVAL;
        int length = FrameHeader.HEADER_LENGTH;
        while (position < end && length != 0)
        {
            // Pairs with the producer's release of the length; the loads below come after it.
            length = memory.getIntAcquire(ring.addressOf(position));
            if (length < 0 || length > RingLayout.maxFrameLength(ring.kind(), ring.capacity()) ||
                (length > 0 && length < FrameHeader.HEADER_LENGTH))
            {
                // It was overwritten meanwhile, or is damaged, which a reader will notice.
                return memory.getLongAcquire(header + RingLayout.COARSE_OFFSET);
            }
            position += FrameHeader.align(length);
        }
        final long now = memory.getLongAcquire(header + RingLayout.COARSE_OFFSET);
        // What was walked over is as it was if the producer has not come round to it.
        return now - told < ring.capacity() / 4 ? Math.max(position, now) : now;
    }

    /**
     * Removes an entry. Its reader must have ended, and the queue pair that writes it must have been destroyed.
     *
     * @throws IllegalArgumentException if there is no such entry.
     */
    public void leave(final int index)
    {
        check(index);
        ungate(index);
        memory.putIntOpaque(list.field(index, RingLayout.ENTRY_KIND), GatingList.Kind.NONE.code());
    }

    private void check(final int index)
    {
        if (index < 0 || index >= RingLayout.MAX_ENTRIES || list.kind(index) == GatingList.Kind.NONE)
        {
            throw new IllegalArgumentException("no subscriber at entry " + index + " of " + ring);
        }
    }

    private void ungate(final int index)
    {
        final long position = list.position(index);
        if (position == RingLayout.FREE)
        {
            return;
        }
        leftAt = position;
        if (ring.kind() == RingKind.CONCURRENT && furthestReader(index) < 0 &&
            list.kind(index) != GatingList.Kind.REMOTE)
        {
            memory.putLongOpaque(header + RingLayout.FLOOR_OFFSET, position);
        }
        // Pairs with the acquire in GatingList.position: what its reader has read, it has read.
        memory.putLongRelease(list.positionAddress(index), RingLayout.FREE);
        changed();
    }

    /** Where the entry was that {@link #leave} or {@link #tryDrop} took out of the list last. */
    public long leftAt()
    {
        return leftAt;
    }

    /** Asks a local reader to stop at its next poll, because it is too slow. */
    public void requestDrop(final int index)
    {
        check(index);
        dropStates[index] = DROP_REQUESTED;
        // Opaque: the fence in tryDrop orders it before the look at the poll state.
        memory.putLongOpaque(list.field(index, RingLayout.ENTRY_DROP), DROP_REQUESTED);
    }

    /**
     * Removes the gate of a reader that was asked to stop, unless it is in a poll and so perhaps in its handler. The
     * entry stays taken until {@link #leave(int)}. To be called again until it succeeds.
     *
     * @return whether it no longer gates.
     */
    public boolean tryDrop(final int index)
    {
        check(index);
        final long request = list.field(index, RingLayout.ENTRY_DROP);
        if (memory.getLong(request) == 0)
        {
            throw new IllegalStateException("entry " + index + " of " + ring + " was not asked to stop");
        }
        // Between the request and the poll state, here and by membarrier in the reader's thread.
        Bell.fence(memory, ring.hotFence());
        // Pairs with the release at a poll's end.
        if (memory.getLongAcquire(list.field(index, RingLayout.ENTRY_POLL_STATE)) == POLLING)
        {
            return false;
        }
        ungate(index);
        dropStates[index] = DROP_DONE;
        // For a conductor that comes next; a reader that is not made yet starts there too, as it has not moved.
        memory.putLongOpaque(list.field(index, RingLayout.ENTRY_JOIN_POSITION), leftAt);
        memory.putLongOpaque(request, DROP_DONE);
        return true;
    }

    /** Whether {@link #tryDrop} took an entry's gate away, at its {@link GatingList#joinPosition}. */
    public boolean isDropped(final int index)
    {
        return dropStates[index] == DROP_DONE;
    }

    /** Whether an entry's reader was asked to stop, also if it has. */
    public boolean isDropRequested(final int index)
    {
        return dropStates[index] != 0;
    }

    /** What the drop word of an entry should be. */
    int dropState(final int index)
    {
        return dropStates[index];
    }

    /** Puts right what a conductor that died may have left half done. To be called by its successor first. */
    public void adopt()
    {
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            dropStates[i] = (int) memory.getLong(list.field(i, RingLayout.ENTRY_DROP));
            if (list.kind(i) != GatingList.Kind.NONE && list.position(i) == RingLayout.FREE &&
                memory.getLong(list.field(i, RingLayout.ENTRY_DROP)) == 0)
            {
                memory.putIntOpaque(list.field(i, RingLayout.ENTRY_KIND), GatingList.Kind.NONE.code());
            }
        }
        if (furthestReader(-1) >= 0)
        {
            memory.putLongOpaque(header + RingLayout.FLOOR_OFFSET, RingLayout.FREE);
        }
        changed();
    }
}
