package io.gannet.ring;

/**
 * Looks whether the words of a ring's header can be what they are: a stray store of any process that has the ring would
 * otherwise stall it, or let it be overwritten, and nobody would say why. For the conductor alone, between changes of
 * the gating list; makes no garbage unless it finds something. What remote subscribers say of themselves is left to
 * {@link GatingMinimum}, which doesn't trust it either.
 */
public final class RingAudit
{
    private static final int DESCRIPTION_WORDS = 8;
    private static final int MAX_STATE = 2;

    private final Ring ring;
    private final RingMemory memory;
    private final Membership membership;
    private final GatingList list;
    private final long header;
    private final long[] description = new long[DESCRIPTION_WORDS];
    private final long lead;
    private long lastProduced;
    private long lastVersion;

    /** Of a ring whose gating list {@code membership} changes. */
    public RingAudit(final Ring ring, final Membership membership)
    {
        this.ring = ring;
        this.membership = membership;
        memory = ring.memory();
        header = ring.headerAddress();
        list = membership.list();
        for (int i = 0; i < DESCRIPTION_WORDS; i++)
        {
            description[i] = memory.getLong(header + i * (long) Long.BYTES);
        }
        // How far an exclusive producer may be above the position that it tells.
        lead = ring.kind() == RingKind.EXCLUSIVE ?
            RingLayout.COARSE_INTERVAL + 2L * RingLayout.maxFrameLength(ring.kind(), ring.capacity()) : 0;
    }

    /**
     * Looks at everything but the claim slots.
     *
     * @param mayEnd whether the end of the stream may have been set.
     * @return what is wrong, or null.
     */
    public String look(final boolean mayEnd)
    {
        for (int i = 0; i < DESCRIPTION_WORDS; i++)
        {
            if (memory.getLong(header + i * (long) Long.BYTES) != description[i])
            {
                return "its description has changed at byte " + i * Long.BYTES;
            }
        }
        final long version = list.version();
        if (version < Math.max(1, lastVersion))
        {
            return "the version of its gating list is " + version + " after " + lastVersion;
        }
        lastVersion = version;
        final long end = ring.endOfStreamPosition();
        if (end != Long.MAX_VALUE && (!mayEnd || !isPosition(end)))
        {
            return "its end of stream is " + end + ", which nobody set";
        }
        // For the fault, if the file was cut: not every user of the ring comes to its end.
        memory.getIntOpaque(ring.dataAddress() + 2L * ring.capacity() - Integer.BYTES);
        return lookAtPositions();
    }

    private String lookAtPositions()
    {
        // The order of loads matters: producers and readers go on meanwhile, and a reader that was seen below one
        // position of the producers is below each later one.
        final long before = produced();
        if (!isPosition(before) || before < lastProduced)
        {
            return "its producer's position is " + before + " after " + lastProduced;
        }
        lastProduced = before;
        final long lowest = before - ring.capacity();
        final long floor = memory.getLongOpaque(header + RingLayout.FLOOR_OFFSET);
        final int size = memory.getIntOpaque(header + RingLayout.ENTRIES_IN_USE_OFFSET);
        if (floor != RingLayout.FREE && isOutside(floor, lowest, produced()))
        {
            return "its floor is " + floor + ", its producer's position " + before;
        }
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            final String problem = lookAtEntry(i, size, lowest);
            if (problem != null)
            {
                return "gating entry " + i + ": " + problem;
            }
        }
        return null;
    }

    private String lookAtEntry(final int index, final int size, final long lowest)
    {
        final int code = memory.getIntOpaque(list.field(index, RingLayout.ENTRY_KIND));
        final GatingList.Kind kind = list.kind(index);
        final long position = list.position(index);
        final long drop = memory.getLongOpaque(list.field(index, RingLayout.ENTRY_DROP));
        if (kind.code() != code)
        {
            return "its kind is " + code;
        }
        if (kind == GatingList.Kind.NONE)
        {
            return position == RingLayout.FREE ? null : "it is unused and has position " + position;
        }
        if (index >= size)
        {
            return "it is used, and only " + size + " are said to be";
        }
        if (drop != membership.dropState(index))
        {
            return "its drop request is " + drop + ", which nobody made";
        }
        if (kind != GatingList.Kind.REMOTE && position != RingLayout.FREE &&
            isOutside(position, lowest, produced() + lead))
        {
            return "its position is " + position + ", the producer's " + produced();
        }
        return position == RingLayout.FREE && drop == 0 ? "it is used and has no position" : null;
    }

    /**
     * Looks at the claim slots of a concurrent ring, which are many.
     *
     * @return what is wrong, or null.
     */
    public String lookAtSlots()
    {
        if (ring.kind() != RingKind.CONCURRENT)
        {
            return null;
        }
        // However old: a producer may be paused for long between its commit and giving the slot back.
        final long lowest = 0;
        for (int i = 0; i < RingLayout.MAX_SLOTS; i++)
        {
            final long slot = header + RingLayout.slotOffset(i);
            final long state = memory.getLongAcquire(slot + RingLayout.SLOT_STATE);
            final long low = state & ClaimSlots.STATE_MASK;
            final boolean wrong = low > MAX_STATE || (low == ClaimSlots.IDLE && state != 0) ||
                (low == ClaimSlots.PENDING && isOutside(state & ~ClaimSlots.STATE_MASK, lowest, produced())) ||
                (low == ClaimSlots.PENDING && !isStep(memory.getLongOpaque(slot + RingLayout.SLOT_STEP))) ||
                (low == ClaimSlots.CLAIMING && state >>> ClaimSlots.STEP_SHIFT > ring.capacity());
            if (wrong)
            {
                return "claim slot " + i + ": its state is " + state + ", its step is " +
                    memory.getLongOpaque(slot + RingLayout.SLOT_STEP);
            }
        }
        return null;
    }

    /** Of the claim whose state was acquired, or of a later one of the slot: each is stored before its state. */
    private boolean isStep(final long step)
    {
        return step >= FrameHeader.ALIGNMENT && (step & (FrameHeader.ALIGNMENT - 1)) == 0 &&
            step <= RingLayout.maxFrameLength(RingKind.CONCURRENT, ring.capacity());
    }

    private long produced()
    {
        return memory.getLongAcquire(
            header + (ring.kind() == RingKind.CONCURRENT ? RingLayout.TAIL_OFFSET : RingLayout.COARSE_OFFSET));
    }

    private static boolean isPosition(final long value)
    {
        return value >= 0 && value <= RingLayout.MAX_POSITION + RingLayout.MAX_CAPACITY &&
            (value & (FrameHeader.ALIGNMENT - 1)) == 0;
    }

    private static boolean isOutside(final long value, final long lowest, final long highest)
    {
        return !isPosition(value) || value < lowest || value > highest;
    }
}
