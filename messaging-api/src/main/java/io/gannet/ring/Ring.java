package io.gannet.ring;

import io.gannet.os.Futex;
import io.gannet.os.Membarrier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A mapped ring: where it is, how large, and whether it was closed. Producers, readers and the conductor's classes
 * work on it. Thread-safe.
 * <p>
 * {@link #close()} may come from any thread while another is in the middle of an offer or a poll: the pages are
 * replaced by private zeroes at the same addresses, so that late stores vanish and late loads see an empty ring. The
 * addresses are freed by {@link #free()}, which is for whoever knows that the ring's users have seen it closed
 * ({@link #isAcknowledged()}); without it they stay taken, which costs address space and no memory.
 */
public final class Ring implements AutoCloseable
{
    /** Result of an offer or claim: nobody subscribes. */
    public static final long NOT_CONNECTED = -1;
    /** Result of an offer or claim: the slowest subscriber is a whole window behind. */
    public static final long BACK_PRESSURED = -2;
    /** Result of an offer or claim: the ring was closed on this side. */
    public static final long CLOSED = -4;
    /** Result of an offer or claim: the stream has reached {@link RingLayout#MAX_POSITION}. */
    public static final long MAX_POSITION_EXCEEDED = -5;

    /** Whether others can fence this process by membarrier. */
    private static final boolean FENCED_BY_OTHERS = registerForFences();

    private final RingMemory memory;
    private final long header;
    private final long data;
    private final RingDescription description;
    private final Mapped mapped;
    private final boolean hotFence;
    private volatile boolean closed;
    private volatile boolean acknowledged;
    private boolean freed;

    /** The mapping below a ring. */
    interface Mapped
    {
        /** Puts zeroes in its place. */
        void replaceByZeroes();

        /** Frees its addresses. */
        void unmap();
    }

    Ring(
        final RingMemory memory,
        final long header,
        final long data,
        final RingDescription description,
        final Mapped mapped)
    {
        this.memory = memory;
        this.header = header;
        this.data = data;
        this.description = description;
        this.mapped = mapped;
        hotFence = description.hotFence() || !FENCED_BY_OTHERS;
    }

    private static boolean registerForFences()
    {
        final boolean supported = Membarrier.isSupported();
        if (supported)
        {
            Membarrier.register();
        }
        return supported;
    }

    /**
     * The same ring, accessed in another way: for tests and simulators. Closing either doesn't close the other, and
     * only the original unmaps.
     */
    public Ring accessedBy(final RingMemory otherMemory)
    {
        return new Ring(otherMemory, header, data, description, null);
    }

    /** Through which it is accessed. */
    public RingMemory memory()
    {
        return memory;
    }

    /** Address of the header. */
    public long headerAddress()
    {
        return header;
    }

    /** Address of the data, {@code 2 * capacity} bytes of it, the second half being the first again. */
    public long dataAddress()
    {
        return data;
    }

    /** What it is. */
    public RingDescription description()
    {
        return description;
    }

    /** Who writes it. */
    public RingKind kind()
    {
        return description.kind();
    }

    /** Bytes of data. */
    public int capacity()
    {
        return description.capacity();
    }

    /** Longest payload in bytes. */
    public int maxMessageLength()
    {
        return RingLayout.maxMessageLength(kind(), capacity());
    }

    /** Address of a position's byte. */
    public long addressOf(final long position)
    {
        return data + (position & (capacity() - 1L));
    }

    /**
     * Whether hot paths of this process must fence by themselves before they look for sleepers or wishes of the
     * conductor, because the machine has no membarrier or this process may not use it.
     */
    public boolean hotFence()
    {
        return hotFence;
    }

    /**
     * Position behind the whole frames that begin at a frame's start, at most a capacity ahead: less if what stands
     * there is damaged, or was overwritten. Not for an image, in which bytes land in any order.
     */
    public long committedFrom(final long start)
    {
        final long limit = start + capacity();
        long end = start;
        while (end < limit)
        {
            // Pairs with the producer's release of the length: the frame is whole.
            final int length = memory.getIntAcquire(addressOf(end)) - FrameHeader.HEADER_LENGTH;
            if (Integer.compareUnsigned(length, maxMessageLength()) > 0)
            {
                break;
            }
            end += FrameHeader.step(length);
        }
        return Math.min(end, limit);
    }

    /** A buffer over the whole double mapping. */
    public UnsafeBuffer wrapData()
    {
        return new UnsafeBuffer(data, 2 * capacity());
    }

    /** Where the stream ended, or {@link Long#MAX_VALUE} while it goes on. */
    public long endOfStreamPosition()
    {
        // Opaque, as only the value counts: who compares a position with it has acquired all frames before that.
        final long end = memory.getLongOpaque(header + RingLayout.END_OF_STREAM_OFFSET);
        return end == Long.MAX_VALUE ? end : end & ~RingLayout.BROKEN_OFF;
    }

    /** Whether the stream ended in this ring but not for its publisher, of which more may have come. */
    public boolean isBrokenOff()
    {
        final long end = memory.getLongOpaque(header + RingLayout.END_OF_STREAM_OFFSET);
        return end != Long.MAX_VALUE && (end & RingLayout.BROKEN_OFF) != 0;
    }

    /** Says where the stream ended. For the driver, after the producer's last frame and death or close. */
    public void endStreamAt(final long position)
    {
        memory.putLongOpaque(header + RingLayout.END_OF_STREAM_OFFSET, position);
    }

    /** As {@link #endStreamAt}, but what the publisher published behind that doesn't come. */
    public void breakOffAt(final long position)
    {
        memory.putLongOpaque(header + RingLayout.END_OF_STREAM_OFFSET, position | RingLayout.BROKEN_OFF);
    }

    /** Whether {@link #close()} was called. */
    public boolean isClosed()
    {
        return closed;
    }

    /**
     * Whether an access can't fault: not, if the file was truncated. A closed one can be read, as zeroes; one that was
     * freed can't. Two system calls.
     */
    public boolean isReadable()
    {
        // Nobody sleeps on the capacity, nor on the last bytes: a file that was cut anywhere lacks those.
        return Futex.isBacked(header + RingLayout.CAPACITY_OFFSET) &&
            Futex.isBacked(data + 2L * capacity() - Integer.BYTES);
    }

    /** Closes it on this side. Returns at once, from whichever thread; idempotent. */
    @Override
    public synchronized void close()
    {
        if (!closed)
        {
            closed = true;
            if (mapped != null)
            {
                mapped.replaceByZeroes();
            }
        }
    }

    /** Called by the producer or reader that has seen that the ring is closed and won't touch it again. */
    void acknowledgeClosed()
    {
        acknowledged = true;        // pairs with isAcknowledged(): this thread does nothing to the ring after this
    }

    /**
     * Whether the thread that used the ring has been seen to respect that it is closed. Never so for a concurrent
     * producer, whose threads can't speak for each other.
     */
    public boolean isAcknowledged()
    {
        return acknowledged;        // pairs with acknowledgeClosed(): the addresses may be freed
    }

    /**
     * Frees the addresses of a closed ring. Nothing may touch the ring from now on, nor any buffer over it.
     *
     * @throws IllegalStateException if it isn't closed.
     */
    public synchronized void free()
    {
        if (!closed)
        {
            throw new IllegalStateException("close the ring before its addresses are freed");
        }
        if (mapped != null && !freed)
        {
            freed = true;
            mapped.unmap();
        }
    }

    @Override
    public String toString()
    {
        return description.toString();
    }
}
