package io.gannet.ring;

/**
 * The entries in a ring's header that say how far its subscribers are, as conductor and diagnostics see them. An entry
 * is in use while its position isn't {@link RingLayout#FREE}; it changes from and to that by one store, so a conductor
 * that dies between any two steps leaves a list that is right. What a producer does with it is
 * {@link GatingMinimum}'s business, how it changes {@link Membership}'s. Thread-safe.
 */
public final class GatingList
{
    private static final Kind[] KINDS = Kind.values();

    private final RingMemory memory;
    private final long header;

    /** Whose position an entry is. */
    public enum Kind
    {
        /** Nobody's. */
        NONE(0),
        /** A reader of this host, which stores it itself. */
        LOCAL(1),
        /** A reader of another host; the NIC writes it. */
        REMOTE(2),
        /** The driver's replication: doesn't count as a subscriber. */
        SENDER(3);

        private final int code;

        Kind(final int code)
        {
            this.code = code;
        }

        /** What stands for it in ring files. */
        int code()
        {
            return code;
        }
    }

    /** The list of a ring. */
    public GatingList(final Ring ring)
    {
        memory = ring.memory();
        header = ring.headerAddress();
    }

    /** Entries from here on are unused. */
    public int size()
    {
        return Math.clamp(memory.getIntOpaque(header + RingLayout.ENTRIES_IN_USE_OFFSET), 0, RingLayout.MAX_ENTRIES);
    }

    /** Number of the list's last change; never 0. */
    public long version()
    {
        return memory.getLongAcquire(header + RingLayout.GATING_VERSION_OFFSET);
    }

    /** Address of an entry's position. */
    public long positionAddress(final int index)
    {
        return header + RingLayout.entryOffset(index) + RingLayout.ENTRY_POSITION;
    }

    /** Position of an entry, {@link RingLayout#FREE} if it gates nothing. Not to be trusted if it is remote. */
    public long position(final int index)
    {
        // Pairs with the reader's release of its position: what it has read, it has read.
        return memory.getLongAcquire(positionAddress(index));
    }

    /** Whose an entry is; {@link Kind#NONE} if it can be used anew. */
    public Kind kind(final int index)
    {
        final int code = memory.getIntOpaque(field(index, RingLayout.ENTRY_KIND));
        for (final Kind kind : KINDS)
        {
            if (kind.code == code)
            {
                return kind;
            }
        }
        return Kind.NONE;
    }

    /** Number of the use of an entry. */
    public int generation(final int index)
    {
        return memory.getIntOpaque(field(index, RingLayout.ENTRY_GENERATION));
    }

    /** Client that owns an entry. */
    public long clientId(final int index)
    {
        return memory.getLongOpaque(field(index, RingLayout.ENTRY_CLIENT_ID));
    }

    /** Subscription that an entry serves. */
    public long registrationId(final int index)
    {
        return memory.getLongOpaque(field(index, RingLayout.ENTRY_REGISTRATION_ID));
    }

    /** Where an entry's reader starts. */
    public long joinPosition(final int index)
    {
        return memory.getLongOpaque(field(index, RingLayout.ENTRY_JOIN_POSITION));
    }

    /**
     * Notes where a remote subscriber is, for the conductor that comes next. For the conductor alone.
     *
     * @param high first half of a 16-byte address, {@code low} the second.
     */
    public void host(final int index, final long high, final long low, final int port)
    {
        memory.putLongOpaque(field(index, RingLayout.ENTRY_HOST), high);
        memory.putLongOpaque(field(index, RingLayout.ENTRY_HOST) + Long.BYTES, low);
        memory.putIntOpaque(field(index, RingLayout.ENTRY_HOST_PORT), port);
        // Opaque: a conductor that comes after the death of this one sees all of its stores.
        memory.putIntOpaque(field(index, RingLayout.ENTRY_HOST_GENERATION), generation(index));
    }

    /** Whether it was noted where an entry's remote subscriber is. */
    public boolean hasHost(final int index)
    {
        return memory.getIntOpaque(field(index, RingLayout.ENTRY_HOST_GENERATION)) == generation(index);
    }

    /** First half of the address of an entry's remote subscriber. Not to be trusted, as the next two. */
    public long hostHigh(final int index)
    {
        return memory.getLongOpaque(field(index, RingLayout.ENTRY_HOST));
    }

    /** Second half of the address of an entry's remote subscriber. */
    public long hostLow(final int index)
    {
        return memory.getLongOpaque(field(index, RingLayout.ENTRY_HOST) + Long.BYTES);
    }

    /** Port of an entry's remote subscriber. */
    public int hostPort(final int index)
    {
        return memory.getIntOpaque(field(index, RingLayout.ENTRY_HOST_PORT));
    }

    /** Subscribers, senders not counted. */
    public int subscribers()
    {
        int count = 0;
        for (int i = 0, size = size(); i < size; i++)
        {
            if (position(i) != RingLayout.FREE && kind(i) != Kind.SENDER)
            {
                count++;
            }
        }
        return count;
    }

    long field(final int index, final int offset)
    {
        return header + RingLayout.entryOffset(index) + offset;
    }
}
