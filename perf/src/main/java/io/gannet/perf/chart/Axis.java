package io.gannet.perf.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Maps values to pixels, linearly or by logarithm, and finds round tick values.
 */
public final class Axis
{
    private final double low;
    private final double high;
    private final double from;
    private final double to;
    private final boolean logarithmic;

    /**
     * @param low  value at pixel {@code from}; above 0 if logarithmic.
     * @param high value at pixel {@code to}.
     */
    public Axis(final double low, final double high, final double from, final double to, final boolean logarithmic)
    {
        this.low = low;
        this.high = high > low ? high : low + 1;
        this.from = from;
        this.to = to;
        this.logarithmic = logarithmic;
    }

    public double pixel(final double value)
    {
        final double bounded = Math.min(Math.max(value, low), high);
        final double share = logarithmic ? Math.log(bounded / low) / Math.log(high / low) :
            (bounded - low) / (high - low);
        return from + share * (to - from);
    }

    /** Powers of ten where logarithmic, else about five round values. */
    public List<Double> ticks()
    {
        final List<Double> ticks = new ArrayList<>();
        if (logarithmic)
        {
            for (double tick = Math.pow(10, Math.ceil(Math.log10(low) - 1e-9)); tick <= high * 1.000001; tick *= 10)
            {
                ticks.add(tick);
            }
            return ticks;
        }
        final double rough = (high - low) / 5;
        final double power = Math.pow(10, Math.floor(Math.log10(rough)));
        final double step = rough / power > 5 ? power * 10 : rough / power > 2 ? power * 5 :
            rough / power > 1 ? power * 2 : power;
        for (double tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step)
        {
            ticks.add(tick);
        }
        return ticks;
    }

    /** Nanoseconds with the unit that people would use. */
    public static String time(final double nanos)
    {
        if (nanos < 1_000)
        {
            return trim(nanos) + " ns";
        }
        if (nanos < 1_000_000)
        {
            return trim(nanos / 1_000) + " us";
        }
        return nanos < 1e9 ? trim(nanos / 1_000_000) + " ms" : trim(nanos / 1e9) + " s";
    }

    public static String trim(final double value)
    {
        final String text = String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("[.]$", "") : text;
    }
}
