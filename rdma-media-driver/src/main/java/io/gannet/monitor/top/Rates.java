package io.gannet.monitor.top;

import java.util.HashMap;
import java.util.Map;

/**
 * How fast sums grow, and did lately. Not thread-safe.
 */
final class Rates
{
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String ASCII_BARS = "_.-=+*%#";

    private final Map<String, Series> series = new HashMap<>();
    private final int points;
    private long nanos;
    private long before;
    private long round;

    private static final class Series
    {
        private final double[] rates;
        private long value;
        private long round;
        private int count;
        private double rate;

        Series(final int points)
        {
            rates = new double[points];
        }
    }

    /**
     * @param points of each series that are kept.
     */
    Rates(final int points)
    {
        this.points = points;
    }

    /** Starts a round at a time of the monotonic clock; what the round before did not have is forgotten. */
    void start(final long now)
    {
        series.values().removeIf(one -> one.round < round);
        before = nanos;
        nanos = now;
        round++;
    }

    /** Forgets everything. */
    void clear()
    {
        series.clear();
        nanos = 0;
    }

    /** Takes a sum and returns how much it grew per second since the round before; not a number if that had none. */
    double add(final String name, final long sum)
    {
        final Series one = series.computeIfAbsent(name, key -> new Series(points));
        if (one.round == round)
        {
            return one.rate;
        }
        one.rate = one.round == 0 || one.round < round - 1 || before == 0 || nanos <= before ? Double.NaN :
            Math.max(0, sum - one.value) * 1e9 / (nanos - before);
        if (!Double.isNaN(one.rate))
        {
            one.rates[one.count++ % points] = one.rate;
        }
        one.value = sum;
        one.round = round;
        return one.rate;
    }

    /** {@return the last rates as bars, the last one on the right, the largest as high as the line} */
    String bars(final String name, final boolean ascii)
    {
        final Series one = series.get(name);
        if (one == null)
        {
            return "";
        }
        double most = 0;
        for (final double rate : one.rates)
        {
            most = Math.max(most, rate);
        }
        final String bars = ascii ? ASCII_BARS : BARS;
        final StringBuilder text = new StringBuilder();
        for (int i = Math.max(0, one.count - points); i < one.count; i++)
        {
            final double share = most == 0 ? 0 : one.rates[i % points] / most;
            text.append(bars.charAt((int) Math.round(share * (bars.length() - 1))));
        }
        return " ".repeat(points - text.length()) + text;
    }
}
