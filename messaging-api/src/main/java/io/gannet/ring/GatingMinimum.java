package io.gannet.ring;

/**
 * A producer's look at the gating list: the smallest position that it may rely on. Refreshed only when a limit is
 * reached or the list has changed.
 * <p>
 * A refresh is a full fence, version, words, version. The fence orders the producer's earlier stores (the coarse
 * position) before the words: it and the joiner's fence between its entry and its re-reading make sure that either the
 * producer sees the entry, or the joiner sees how far the producer was. The second version makes the words one picture:
 * a scan that missed an entry but saw what others reached after it was made is thrown away.
 * <p>
 * A position counts only within [last accepted, own position]; another one is ignored and counted, so that a remote
 * subscriber, which writes its word by itself, can't move a producer into what others still read.
 * <p>
 * Used by one thread at a time: those of a concurrent producer take turns.
 */
public final class GatingMinimum extends GatingMinimumState
{
    private static final int ATTEMPTS = 64;

    private final RingMemory memory;
    private final GatingList list;
    private final long versionAddress;
    private final long floorAddress;
    private final long tailAddress;
    private final long[] accepted = new long[RingLayout.MAX_ENTRIES];
    private final int[] generations = new int[RingLayout.MAX_ENTRIES];
    private final boolean[] subscribing = new boolean[RingLayout.MAX_ENTRIES];

    /** For a producer of the ring, or for the driver on an image. */
    public GatingMinimum(final Ring ring)
    {
        memory = ring.memory();
        list = new GatingList(ring);
        versionAddress = ring.headerAddress() + RingLayout.GATING_VERSION_OFFSET;
        floorAddress = ring.headerAddress() + RingLayout.FLOOR_OFFSET;
        tailAddress = ring.kind() == RingKind.CONCURRENT ? ring.headerAddress() + RingLayout.TAIL_OFFSET : 0;
    }

    /**
     * Refreshes.
     *
     * @param ownPosition how far the producer is; nobody can have consumed more.
     * @return the minimum, {@link RingLayout#FREE} if nothing gates, or -1 if the list changed faster than it could be
     *         read: then nothing else here has changed.
     */
    public long refresh(final long ownPosition)
    {
        // Pairs with the fence in Membership.join.
        memory.fullFence();
        for (int i = 0; i < ATTEMPTS; i++)
        {
            // Pairs with the release in Membership.changed: the entries' descriptions belong to this version or later.
            final long before = memory.getLongAcquire(versionAddress);
            if (before != version)
            {
                describe();
            }
            if (scan(before, ownPosition))
            {
                return minimum;
            }
        }
        return -1;
    }

    private void describe()
    {
        for (int i = 0, size = list.size(); i < size; i++)
        {
            final int generation = list.generation(i);
            subscribing[i] = list.kind(i) != GatingList.Kind.SENDER;
            if (generation != generations[i])
            {
                generations[i] = generation;
                accepted[i] = list.joinPosition(i);
            }
        }
    }

    private boolean scan(final long before, final long ownPosition)
    {
        long smallest = RingLayout.FREE;
        long own = ownPosition;
        int smallestHolder = -1;
        int subscribers = 0;
        for (int i = 0, size = list.size(); i < size; i++)
        {
            long position = list.position(i);
            if (position != RingLayout.FREE)
            {
                if (position > own && tailAddress != 0)
                {
                    own = memory.getLongVolatile(tailAddress);
                }
                if (position < accepted[i] || position > own)
                {
                    ignored++;
                    position = accepted[i];
                }
                else
                {
                    accepted[i] = position;
                }
                subscribers += subscribing[i] ? 1 : 0;
                if (position < smallest)
                {
                    smallest = position;
                    smallestHolder = i;
                }
            }
        }
        smallest = Math.min(smallest, memory.getLongOpaque(floorAddress));
        // The words above are loaded before the version below.
        memory.acquireFence();
        if (memory.getLongOpaque(versionAddress) != before)
        {
            return false;
        }
        version = before;
        minimum = smallest;
        holder = smallestHolder;
        connected = subscribers;
        return true;
    }

    /** Version of the list at the last refresh; 0 before the first. */
    public long version()
    {
        return version;
    }

    /** Minimum at the last refresh. */
    public long minimum()
    {
        return minimum;
    }

    /** Entry that held the minimum at the last refresh; -1 for none. */
    public int holder()
    {
        return (int) holder;
    }

    /** Subscribers at the last refresh. */
    public int connected()
    {
        return (int) connected;
    }

    /** Positions ignored so far because they went backwards or ahead of what was sent. */
    public long ignored()
    {
        return ignored;
    }
}
