package io.gannet.control;

import static org.agrona.concurrent.ringbuffer.RecordDescriptor.ALIGNMENT;
import static org.agrona.concurrent.ringbuffer.RecordDescriptor.HEADER_LENGTH;
import static org.agrona.concurrent.ringbuffer.RecordDescriptor.lengthOffset;
import static org.agrona.concurrent.ringbuffer.RecordDescriptor.typeOffset;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The reading side of a command or event ring whose other side may have left garbage. Agrona's ring believes the
 * length in a record's header, and would read and zero beyond its end; here each header is checked first. A record
 * that can't be one leaves the ring out of step for good: {@link #read} says so and the owner gives it up.
 * Not thread-safe: one consumer.
 */
public final class GuardedRing
{
    /** Result of {@link #read}: the ring holds something that is no record. */
    public static final int CORRUPT = -1;

    private static final int PADDING = -1;

    private final OneToOneRingBuffer ring;
    private final AtomicBuffer buffer;
    private final int capacity;
    /** The reader's position, which nobody else writes, but that a client clears its rings. */
    private long ownHead;

    GuardedRing(final OneToOneRingBuffer ring)
    {
        this.ring = ring;
        buffer = ring.buffer();
        capacity = ring.capacity();
        ownHead = ring.consumerPosition();
    }

    /**
     * Hands on at most {@code limit} messages.
     *
     * @return how many, or {@link #CORRUPT}. What came before the corrupt record was handed on by this or an earlier
     *         call.
     */
    public int read(final MessageHandler handler, final int limit)
    {
        int messages = 0;
        while (messages < limit)
        {
            final long head = ring.consumerPosition();
            final int index = (int) head & (capacity - 1);
            if (head != ownHead && head != 0)
            {
                return messages > 0 ? messages : CORRUPT;
            }
            final int length = buffer.getIntVolatile(lengthOffset(index));    // pairs with the ring's release of it
            if (length <= 0)
            {
                return messages;
            }
            if (!isRecord(index, length) || head + BitUtil.align(length, ALIGNMENT) > ring.producerPosition())
            {
                return messages > 0 ? messages : CORRUPT;
            }
            try
            {
                messages += ring.read(handler, 1);
            }
            finally
            {
                // The message is taken, also if its handler throws.
                ownHead = ring.consumerPosition();
            }
        }
        return messages;
    }

    /** Whether nothing was read from the ring since it was made or cleared. The reader's thread. */
    public boolean isAtStart()
    {
        return ring.consumerPosition() == 0;
    }

    /** Whether both positions can be what reader and writer left there. The reader's thread. */
    public boolean isIntact()
    {
        final long head = ring.consumerPosition();
        return (head == ownHead || head == 0) && isWriterIntact();
    }

    /** Whether what the writer says of its positions can be; what {@link #read} finds by itself is left to it. */
    public boolean isWriterIntact()
    {
        final long head = ring.consumerPosition();
        if (head != ownHead && head != 0)
        {
            return true;
        }
        final long headCache = buffer.getLong(capacity + RingBufferDescriptor.HEAD_CACHE_POSITION_OFFSET);
        return isAhead(head, headCache, capacity) && isAhead(ring.producerPosition(), head, capacity);
    }

    /** Whether a writer at {@code tail} can have a reader at {@code head}. */
    static boolean isAhead(final long tail, final long head, final int capacity)
    {
        return ((tail | head) & (ALIGNMENT - 1)) == 0 && tail - head >= 0 && tail - head <= capacity;
    }

    /** Bytes that wait to be read, of {@link #capacity()}. Any thread. */
    public int size()
    {
        return ring.size();
    }

    /** Bytes of the ring. */
    public int capacity()
    {
        return capacity;
    }

    private boolean isRecord(final int index, final int length)
    {
        if (length < HEADER_LENGTH || length > capacity - index)
        {
            return false;
        }
        final int type = buffer.getInt(typeOffset(index));
        // Agrona's writer pads to the end and nowhere else; after other padding its reader would go on unchecked.
        return type == PADDING ? BitUtil.align(length, ALIGNMENT) == capacity - index : type > 0;
    }
}
