package io.gannet.perf.beside;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Half round trips of one run.
 *
 * @param least  nanoseconds.
 * @param median nanoseconds.
 * @param count  round trips.
 */
record Trips(double least, double median, long count)
{
    static Trips of(final Histogram halves)
    {
        return new Trips(halves.getMinValue(), halves.getValueAtPercentile(50), halves.getTotalCount());
    }

    static Trips parse(final String text)
    {
        final String[] parts = text.strip().split(" +", -1);
        return new Trips(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), Long.parseLong(parts[2]));
    }

    String print()
    {
        return String.format(Locale.ROOT, "%.0f %.0f %d", least, median, count);
    }
}
