package io.gannet.cli.recording;

import io.gannet.cli.UsageException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes, durations and times on a command line.
 */
final class Quantity
{
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([kmgt]?)");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(us|ms|s|m|h)");
    private static final Pattern NANOS = Pattern.compile("\\d{15,19}");
    private static final String UNITS = "kmgt";
    private static final int SHIFT = 10;

    private Quantity()
    {
    }

    /** Bytes, such as 65536, 64k, 256m or 1t. */
    static long size(final String option, final String text)
    {
        final Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches())
        {
            throw new UsageException(option + " " + text + ": bytes are needed, such as 65536, 64k, 256m or 10g");
        }
        final int shift = matcher.group(2).isEmpty() ? 0 : SHIFT * (UNITS.indexOf(matcher.group(2)) + 1);
        final long count = Long.parseLong(matcher.group(1));
        return count > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : count << shift;
    }

    /** Nanoseconds, of a text such as 100ms or 2s. */
    static long duration(final String option, final String text)
    {
        final Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches())
        {
            throw new UsageException(option + " " + text + ": a time with its unit is needed, such as 100ms or 2s");
        }
        final TimeUnit unit = switch (matcher.group(2))
        {
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            case "s" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MINUTES;
            default -> TimeUnit.HOURS;
        };
        return unit.toNanos(Long.parseLong(matcher.group(1)));
    }

    /** Ns since 1970, of an instant such as 2026-11-30T09:30:00.5Z, or of such a number itself. */
    static long time(final String option, final String text)
    {
        try
        {
            if (NANOS.matcher(text).matches())
            {
                return Long.parseLong(text);
            }
            final Instant instant = Instant.parse(text);
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
        }
        catch (final DateTimeException | NumberFormatException | ArithmeticException e)
        {
            throw new UsageException(option + " " + text + ": a time is needed, such as 2026-11-30T09:30:00Z, or " +
                "nanoseconds since 1970", e);
        }
    }

    /** A time for people. */
    static String instant(final long epochNanos)
    {
        return Instant.ofEpochSecond(0, epochNanos).toString();
    }
}
