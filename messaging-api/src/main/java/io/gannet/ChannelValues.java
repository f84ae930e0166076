package io.gannet;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parsers and formats of the values in a channel. Exceptions say what is possible; the caller adds key and value. */
final class ChannelValues
{
    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kKmMgG]?)");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,18})(ns|us|ms|s|m|h)");
    private static final Pattern HOST = Pattern.compile(
        "[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.%a-z]{2,60}]");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]+");
    private static final int MAX_PORT = 65_535;
    private static final long MIN_TIMEOUT = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_TIMEOUT = TimeUnit.HOURS.toNanos(1);
    private static final String UNITS = "kmg";

    private ChannelValues()
    {
    }

    static String address(final String value)
    {
        final int colon = value.lastIndexOf(':');
        final String port = value.substring(colon + 1);
        if (colon < 1 || !HOST.matcher(value.substring(0, colon)).matches())
        {
            throw new IllegalArgumentException("host:port is needed, such as 10.0.0.7:4100 or [fe80::7]:4100");
        }
        final int number = port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0;
        if (number < 1 || number > MAX_PORT)
        {
            throw new IllegalArgumentException("the port must be 1 to " + MAX_PORT);
        }
        return value.substring(0, colon) + ":" + number;
    }

    static String name(final String value, final int maxLength)
    {
        if (value.length() > maxLength || !NAME.matcher(value).matches())
        {
            throw new IllegalArgumentException(
                "1 to " + maxLength + " letters, digits and the characters . _ : - are possible");
        }
        return value;
    }

    static Integer integer(final String value)
    {
        try
        {
            return Integer.valueOf(value);
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException("a number from -2147483648 to 2147483647 is needed", ex);
        }
    }

    static long size(final String value)
    {
        final Matcher matcher = SIZE.matcher(value);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("bytes are needed, such as 4m, 64k or 65536");
        }
        final String unit = matcher.group(2).toLowerCase(java.util.Locale.ROOT);
        final long factor = unit.isEmpty() ? 1 : 1L << (10 * (UNITS.indexOf(unit) + 1));
        final long count = Long.parseLong(matcher.group(1));
        return count > Long.MAX_VALUE / factor ? Long.MAX_VALUE : count * factor;
    }

    static String formatSize(final int bytes)
    {
        int shift = 0;
        while (shift < 30 && bytes % (1L << (shift + 10)) == 0)
        {
            shift += 10;
        }
        return (bytes >> shift) + (shift == 0 ? "" : UNITS.substring(shift / 10 - 1, shift / 10));
    }

    /** Decimal, or hexadecimal with 0x. */
    static Integer number(final String value, final int least, final int most)
    {
        final boolean hex = value.startsWith("0x");
        int number = -1;
        try
        {
            number = hex ? Integer.parseInt(value.substring(2), 16) : Integer.parseInt(value);
        }
        catch (final NumberFormatException ex)
        {
            // Said below.
        }
        if (number < least || number > most)
        {
            throw new IllegalArgumentException(
                "a number from " + least + " to " + most + " is needed, or in hexadecimal such as 0x1f");
        }
        return number;
    }

    static Long timeout(final String value)
    {
        final long nanos = duration(value);
        if (nanos < MIN_TIMEOUT || nanos > MAX_TIMEOUT)
        {
            throw new IllegalArgumentException("10ms to 1h is possible");
        }
        return nanos;
    }

    static long duration(final String value)
    {
        final Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("a time with its unit is needed, such as 10s, 500ms or 1m");
        }
        return unit(matcher.group(2)).toNanos(Long.parseLong(matcher.group(1)));
    }

    static String formatDuration(final long nanos)
    {
        for (final String unit : new String[]{"h", "m", "s", "ms", "us"})
        {
            final long length = unit(unit).toNanos(1);
            if (nanos % length == 0)
            {
                return nanos / length + unit;
            }
        }
        return nanos + "ns";
    }

    private static TimeUnit unit(final String text)
    {
        return switch (text)
        {
            case "ns" -> TimeUnit.NANOSECONDS;
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            case "s" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MINUTES;
            default -> TimeUnit.HOURS;
        };
    }
}
