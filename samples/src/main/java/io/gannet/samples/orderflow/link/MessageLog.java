package io.gannet.samples.orderflow.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The latest messages of a stream, in a ring of bytes: what was sent and may have to be sent again. The oldest give
 * way.
 * <pre>
 *  0          8          16         24        128
 *  +----------+----------+----------+---------+------ records ------
 *  | magic    | first    | end      | free    |
 *  +----------+----------+----------+---------+
 *
 *  a record, aligned to 8:  int32 length of the record | int32 length of the message, -1: padding | message
 * </pre>
 * Positions count bytes since the beginning and never go back. A record does not wrap: padding fills the end. One
 * thread writes; others may read below {@link #end()} and find out by {@link #first()} whether they were overtaken.
 * Over a mapped file the log outlives its process: whatever was committed is there, whole.
 */
public final class MessageLog
{
    /** Bytes before the records. */
    public static final int HEADER_LENGTH = 128;
    /** Bytes of the header, from here, that belong to the log's owner. */
    public static final int FREE_OFFSET = 24;

    private static final int MAGIC = 0;
    private static final int FIRST = 8;
    private static final int END = 16;
    private static final long MAGIC_VALUE = 0x0001_474F_4C4D_4E47L;
    private static final int RECORD_HEADER = 8;
    private static final int PADDING = -1;
    private static final VarHandle PUBLISHED;

    static
    {
        try
        {
            PUBLISHED = MethodHandles.lookup().findVarHandle(MessageLog.class, "published", long.class);
        }
        catch (final ReflectiveOperationException impossible)
        {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final UnsafeBuffer buffer;
    private final int capacity;
    private long first;
    private long end;
    private int claimed;
    @SuppressWarnings("unused")
    private volatile long published;

    private MessageLog(final UnsafeBuffer buffer)
    {
        this.buffer = buffer;
        capacity = buffer.capacity() - HEADER_LENGTH;
        if (!BitUtil.isPowerOfTwo(capacity))
        {
            throw new IllegalArgumentException("a log's capacity is " + capacity + ", it must be a power of two");
        }
    }

    /** An empty log in the heap. */
    public static MessageLog allocate(final int capacity)
    {
        final MessageLog log = new MessageLog(new UnsafeBuffer(new byte[HEADER_LENGTH + capacity]));
        log.reset();
        return log;
    }

    /**
     * A log over memory of the caller; what is there is kept if it is a log, else it begins empty.
     *
     * @throws IllegalStateException if it is a damaged log.
     */
    public static MessageLog over(final UnsafeBuffer memory)
    {
        final MessageLog log = new MessageLog(memory);
        if (memory.getLong(MAGIC) == MAGIC_VALUE)
        {
            log.load();
        }
        else
        {
            log.reset();
        }
        return log;
    }

    private void reset()
    {
        first = 0;
        end = 0;
        buffer.putLong(FIRST, 0);
        buffer.putLong(END, 0);
        buffer.putLong(MAGIC, MAGIC_VALUE);
    }

    private void load()
    {
        first = buffer.getLong(FIRST);
        end = buffer.getLong(END);
        long at = first;
        while (at >= 0 && at < end && end - first <= capacity)
        {
            final int length = buffer.getInt(index(at));
            if (length < RECORD_HEADER || (length & 7) != 0 || length > HEADER_LENGTH + capacity - index(at))
            {
                break;
            }
            final int message = buffer.getInt(index(at) + 4);
            if (message < PADDING || message > length - RECORD_HEADER)
            {
                break;
            }
            at += length;
        }
        if (at != end)
        {
            throw new IllegalStateException("a log of messages is damaged at position " + at + " of " + end);
        }
        PUBLISHED.setRelease(this, end);
    }

    private int index(final long position)
    {
        return HEADER_LENGTH + (int) (position & (capacity - 1));
    }

    /** The memory that messages are in. */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Bytes that the log holds. */
    public int capacity()
    {
        return capacity;
    }

    /**
     * Makes room for a message; what is written there is not part of the log before {@link #commit()}. A second claim
     * replaces the first.
     *
     * @return index of its first byte in {@link #buffer()}.
     * @throws IllegalArgumentException if it is longer than a quarter of the log.
     */
    public int claim(final int length)
    {
        if (length < 0 || length > capacity / 4)
        {
            throw new IllegalArgumentException("a message of " + length + " bytes in a log of " + capacity);
        }
        final int needed = BitUtil.align(RECORD_HEADER + length, 8);
        final int toEnd = HEADER_LENGTH + capacity - index(end);
        if (needed > toEnd)
        {
            makeRoom(toEnd);
            buffer.putInt(index(end), toEnd);
            buffer.putInt(index(end) + 4, PADDING);
            publish(end + toEnd);
        }
        makeRoom(needed);
        buffer.putInt(index(end), needed);
        buffer.putInt(index(end) + 4, length);
        claimed = needed;
        return index(end) + RECORD_HEADER;
    }

    /** Appends what was claimed; returns the position behind it. */
    public long commit()
    {
        publish(end + claimed);
        return end;
    }

    /** Bytes from the last committed record to the end. */
    public int lastLength()
    {
        return claimed;
    }

    private void makeRoom(final int bytes)
    {
        final long least = end + bytes - capacity;
        if (first < least)
        {
            long oldest = first;
            while (oldest < least)
            {
                oldest += buffer.getInt(index(oldest));
            }
            first = oldest;
            buffer.putLong(FIRST, oldest);
            // A reader that sees the new bytes sees that they are no longer those of its position.
            VarHandle.releaseFence();
        }
    }

    private void publish(final long newEnd)
    {
        end = newEnd;
        buffer.putLongRelease(END, newEnd);
        PUBLISHED.setRelease(this, newEnd);        // pairs with the acquire in end()
    }

    /** Position of the oldest message; for any thread. */
    public long first()
    {
        VarHandle.acquireFence();
        return buffer.getLongVolatile(FIRST);
    }

    /** Position behind the newest message; for any thread. */
    public long end()
    {
        return (long) PUBLISHED.getAcquire(this);
    }

    /** The position of the message at or behind this one, which is padding or a message; at most {@link #end()}. */
    public long messageAt(final long position)
    {
        final int index = index(position);
        return buffer.getInt(index + 4) == PADDING ? position + buffer.getInt(index) : position;
    }

    /** Length of the message at a position from {@link #messageAt}, below {@link #end()}. */
    public int length(final long position)
    {
        return buffer.getInt(index(position) + 4);
    }

    /** Index in {@link #buffer()} of the message at a position from {@link #messageAt}, below {@link #end()}. */
    public int offset(final long position)
    {
        return index(position) + RECORD_HEADER;
    }

    /** Position behind the record at {@code position}. */
    public long next(final long position)
    {
        return position + buffer.getInt(index(position));
    }
}
