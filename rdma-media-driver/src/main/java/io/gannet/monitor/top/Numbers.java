package io.gannet.monitor.top;

import java.util.Locale;

/** Numbers in few columns; one that is not known yet is {@code -}. */
final class Numbers
{
    private static final String[] DECIMAL = {"", "k", "M", "G", "T", "P"};
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final String[] TIME = {"ns", "us", "ms", "s"};

    private Numbers()
    {
    }

    /** As {@code 12.3M}. */
    static String count(final double value)
    {
        return scaled(value, 1000, DECIMAL);
    }

    /** As {@code 12.3M}. */
    static String count(final long value)
    {
        return count((double) value);
    }

    /** As {@code 12.3MiB}. */
    static String bytes(final long value)
    {
        return bytes((double) value);
    }

    /** As {@code 12.3MiB}. */
    static String bytes(final double value)
    {
        return scaled(value, 1024, BINARY);
    }

    /** As {@code 12.3us}. */
    static String nanos(final long value)
    {
        return value == Long.MAX_VALUE ? "longer" : scaled((double) value, 1000, TIME);
    }

    /** As {@code 12s}, {@code 12m34s}, {@code 3h05m} or {@code 4d11h}. */
    static String seconds(final long seconds)
    {
        if (seconds < 60)
        {
            return seconds + "s";
        }
        if (seconds < 3600)
        {
            return String.format("%dm%02ds", seconds / 60, seconds % 60);
        }
        return seconds < 86_400 ? String.format("%dh%02dm", seconds / 3600, seconds % 3600 / 60) :
            String.format("%dd%02dh", seconds / 86_400, seconds % 86_400 / 3600);
    }

    private static String scaled(final double value, final int base, final String[] units)
    {
        if (Double.isNaN(value))
        {
            return "-";
        }
        double rest = Math.max(0, value);
        int unit = 0;
        while (rest >= base && unit < units.length - 1)
        {
            rest /= base;
            unit++;
        }
        final String digits = rest >= 99.95 || (unit == 0 && rest == Math.rint(rest)) ? "%.0f" : "%.1f";
        return String.format(Locale.ROOT, digits, rest) + units[unit];
    }
}
