package io.gannet.samples.orderflow.link;

import org.agrona.BitUtil;

/**
 * Where the latest messages of one session are in a {@link MessageLog}. Not thread-safe.
 */
public final class SequenceIndex
{
    /** Not kept any more. */
    public static final long UNKNOWN = -1;

    private final long[] positions;
    private long last;

    /**
     * @param depth messages to remember, a power of two.
     */
    public SequenceIndex(final int depth)
    {
        if (!BitUtil.isPowerOfTwo(depth))
        {
            throw new IllegalArgumentException("the depth is " + depth + ", it must be a power of two");
        }
        positions = new long[depth];
    }

    /** The next message has this number and position. */
    public void put(final long number, final long position)
    {
        positions[(int) number & (positions.length - 1)] = position;
        last = number;
    }

    /** Position of a message, or {@link #UNKNOWN}. */
    public long position(final long number, final MessageLog log)
    {
        if (number > last || number <= last - positions.length || number < 1)
        {
            return UNKNOWN;
        }
        final long position = positions[(int) number & (positions.length - 1)];
        return position < log.first() ? UNKNOWN : log.messageAt(position);
    }
}
