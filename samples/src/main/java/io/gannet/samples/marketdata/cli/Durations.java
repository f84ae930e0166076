package io.gannet.samples.marketdata.cli;

import java.util.Locale;

/**
 * Durations for people: three digits and a unit.
 */
public final class Durations
{
    private static final String[] UNITS = {"ns", "us", "ms", "s"};

    private Durations()
    {
    }

    /** Such as {@code 870 ns}, {@code 4.21 us}, {@code 38.0 ms}. */
    public static String text(final long nanos)
    {
        double value = nanos;
        int unit = 0;
        while (value >= 999.5 && unit < UNITS.length - 1)
        {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 || value >= 99.95 ? "%.0f %s" : value >= 9.995 ? "%.1f %s" :
            "%.2f %s", value, UNITS[unit]);
    }
}
