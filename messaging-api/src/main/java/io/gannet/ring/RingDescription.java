package io.gannet.ring;

import java.util.Locale;

/**
 * What a ring is, as its header says for good.
 *
 * @param kind            who writes it.
 * @param capacity        bytes of data, see {@link RingLayout#checkCapacity(long)}.
 * @param sessionId       of the stream.
 * @param streamId        of the stream.
 * @param registrationId  names the ring in its directory for ever.
 * @param initialPosition where the stream starts, a multiple of {@link FrameHeader#ALIGNMENT}.
 * @param hotFence        whether producers must fence before they look for sleepers, because the machine has no
 *                        membarrier.
 */
public record RingDescription(
    RingKind kind,
    int capacity,
    int sessionId,
    int streamId,
    long registrationId,
    long initialPosition,
    boolean hotFence)
{
    /**
     * Checks everything.
     *
     * @throws IllegalArgumentException naming the value, its limits and the remedy.
     */
    public RingDescription
    {
        if (kind == RingKind.NONE)
        {
            throw new IllegalArgumentException("a ring needs a kind: exclusive, concurrent or image");
        }
        RingLayout.checkCapacity(capacity);
        if (initialPosition < 0 || initialPosition >= RingLayout.MAX_POSITION ||
            (initialPosition & (FrameHeader.ALIGNMENT - 1)) != 0)
        {
            throw new IllegalArgumentException("initial position " + initialPosition + ": must be a multiple of " +
                FrameHeader.ALIGNMENT + " from 0 and below " + RingLayout.MAX_POSITION);
        }
    }

    /** A ring without identity that starts at position 0, for use within one process. */
    public RingDescription(final RingKind kind, final int capacity)
    {
        this(kind, capacity, 0, 0, 0, 0, false);
    }

    /** {@return what it is, in a line for people} */
    @Override
    public String toString()
    {
        return kind.name().toLowerCase(Locale.ROOT) + " ring of " + capacity + " bytes, stream " + streamId +
            ", session " + sessionId;
    }

    /** Writes the header of a new ring, whose memory is all zero; the magic last. */
    void writeTo(final RingMemory memory, final long header, final int dataOffset)
    {
        memory.putInt(header + RingLayout.LAYOUT_VERSION_OFFSET, RingLayout.VERSION);
        memory.putInt(header + RingLayout.KIND_OFFSET, kind.code());
        memory.putLong(header + RingLayout.CAPACITY_OFFSET, capacity);
        memory.putLong(header + RingLayout.DATA_OFFSET_OFFSET, dataOffset);
        memory.putInt(header + RingLayout.SESSION_ID_OFFSET, sessionId);
        memory.putInt(header + RingLayout.STREAM_ID_OFFSET, streamId);
        memory.putLong(header + RingLayout.REGISTRATION_ID_OFFSET, registrationId);
        memory.putInt(header + RingLayout.FLAGS_OFFSET, hotFence ? RingLayout.FLAG_HOT_FENCE : 0);
        memory.putLong(header + RingLayout.INITIAL_POSITION_OFFSET, initialPosition);
        memory.putLong(header + RingLayout.GATING_VERSION_OFFSET, 1);
        memory.putLong(
            header + RingLayout.FLOOR_OFFSET, kind == RingKind.CONCURRENT ? initialPosition : RingLayout.FREE);
        memory.putLong(header + RingLayout.COARSE_OFFSET, initialPosition);
        memory.putLong(header + RingLayout.TAIL_OFFSET, initialPosition);
        memory.putLong(header + RingLayout.END_OF_STREAM_OFFSET, Long.MAX_VALUE);
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            memory.putLong(header + RingLayout.entryOffset(i) + RingLayout.ENTRY_POSITION, RingLayout.FREE);
        }
        // Pairs with the acquire in readFrom: whoever sees the magic sees the rest.
        memory.putLongRelease(header + RingLayout.MAGIC_OFFSET, RingLayout.MAGIC);
    }

    /**
     * Reads and checks the header of a ring.
     *
     * @param name of the ring, for messages.
     * @throws IllegalStateException if it isn't a ring, is of another version, or says what can't be.
     */
    static RingDescription readFrom(final RingMemory memory, final long header, final String name)
    {
        // Pairs with the release in writeTo.
        final long magic = memory.getLongAcquire(header + RingLayout.MAGIC_OFFSET);
        if (magic != RingLayout.MAGIC)
        {
            throw new IllegalStateException(name + " is not a ring, or its making was cut short: remove it");
        }
        final int version = memory.getInt(header + RingLayout.LAYOUT_VERSION_OFFSET);
        if (version != RingLayout.VERSION)
        {
            throw new IllegalStateException(name + " has ring layout " + version + ", and this program knows layout " +
                RingLayout.VERSION + ": run the same version of Gannet on both sides");
        }
        final int kind = memory.getInt(header + RingLayout.KIND_OFFSET);
        final long capacity = memory.getLong(header + RingLayout.CAPACITY_OFFSET);
        try
        {
            RingLayout.checkCapacity(capacity);
            return new RingDescription(
                RingKind.of(kind),
                (int) capacity,
                memory.getInt(header + RingLayout.SESSION_ID_OFFSET),
                memory.getInt(header + RingLayout.STREAM_ID_OFFSET),
                memory.getLong(header + RingLayout.REGISTRATION_ID_OFFSET),
                memory.getLong(header + RingLayout.INITIAL_POSITION_OFFSET),
                (memory.getInt(header + RingLayout.FLAGS_OFFSET) & RingLayout.FLAG_HOT_FENCE) != 0);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalStateException(name + " is damaged: " + ex.getMessage(), ex);
        }
    }
}
