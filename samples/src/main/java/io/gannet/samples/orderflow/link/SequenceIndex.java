package io.gannet.samples.orderflow.link;

import java.util.Arrays;
import org.agrona.BitUtil;

/**
 * Where the latest messages of one session are in a {@link MessageLog}. Not thread-safe.
 */
public final class SequenceIndex
{
    /** Not kept any more. */
    public static final long UNKNOWN = -1;

    private final int depth;
    /** Made for the first message: of many sessions most may never have one. */
    private long[] positions;
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
        this.depth = depth;
    }

    /** The next message has this number and position. */
    public void put(final long number, final long position)
    {
        if (positions == null)
        {
            positions = new long[depth];
            Arrays.fill(positions, UNKNOWN);
        }
        positions[(int) number & (depth - 1)] = position;
        last = number;
    }

    /** Position of a message, or {@link #UNKNOWN}. */
    public long position(final long number, final MessageLog log)
    {
        if (positions == null || number > last || number <= last - depth || number < 1)
        {
            return UNKNOWN;
        }
        final long position = positions[(int) number & (depth - 1)];
        return position < log.first() ? UNKNOWN : log.messageAt(position);
    }
}
