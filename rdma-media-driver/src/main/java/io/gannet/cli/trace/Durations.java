package io.gannet.cli.trace;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Durations in ns, and their percentiles. Not thread-safe.
 */
public final class Durations
{
    private static final int INITIAL = 1024;

    private long[] values = new long[INITIAL];
    private int count;

    Durations()
    {
    }

    void add(final long nanos)
    {
        if (count == values.length)
        {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = nanos;
    }

    /** How many there are. */
    public int count()
    {
        return count;
    }

    /** Takes them out. */
    void drainTo(final LongConsumer to)
    {
        for (int i = 0; i < count; i++)
        {
            to.accept(values[i]);
        }
        count = 0;
    }

    /** The least value that so many percent of all don't exceed; 0 if there is none. */
    public long percentile(final double percent)
    {
        if (count == 0)
        {
            return 0;
        }
        Arrays.sort(values, 0, count);
        return values[Math.clamp((long) Math.ceil(count * percent / 100) - 1, 0, count - 1)];
    }
}
