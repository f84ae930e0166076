package io.gannet.samples.orderflow.link;

import org.agrona.BitUtil;

/**
 * Where each report of a log is, by its number. The thread that fills the log puts a report before it commits it;
 * another may look for reports that it saw committed, as {@link MessageLog#end()} orders both.
 */
public final class ReportIndex
{
    /** No report is shorter, with what the log adds. */
    private static final int LEAST_RECORD = 64;

    private final long[] positions;
    /** Number of the first report that was put; set before any other thread looks. */
    private long first = 1;

    /**
     * @param logCapacity of the log; each report that it holds has its place here.
     */
    public ReportIndex(final int logCapacity)
    {
        positions = new long[BitUtil.findNextPositivePowerOfTwo(Math.max(16, logCapacity / LEAST_RECORD))];
    }

    /** The log begins with this report. */
    public void begin(final long number)
    {
        first = number;
    }

    /** The next report is at this position, or behind padding that begins there. */
    public void put(final long number, final long position)
    {
        positions[(int) number & (positions.length - 1)] = position;
    }

    /** Position of a report that {@link #firstFrom} does not exclude. */
    public long position(final long number)
    {
        return positions[(int) number & (positions.length - 1)];
    }

    /** Number of the first report at or behind a position, up to {@code next}, which was not yet put. */
    public long firstFrom(final long position, final long next)
    {
        long low = Math.max(first, next - positions.length + 1);
        long high = next;
        while (low < high)
        {
            final long middle = (low + high) >>> 1;
            if (position(middle) < position)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }
}
