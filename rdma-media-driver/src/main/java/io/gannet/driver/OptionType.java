package io.gannet.driver;

import io.gannet.control.Suggestion;
import io.gannet.rdma.roce.net.AllowList;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How the text of an option becomes a checked value and back.
 *
 * @param <T>   type of the value.
 * @param name  what the documentation calls the type.
 * @param unit  unit of a plain number, or empty.
 * @param range allowed values in words.
 * @param parse throws {@link IllegalArgumentException} with a reason that follows "... is not allowed: ".
 * @param print the text that {@code parse} turns into the same value.
 */
record OptionType<T>(String name, String unit, String range, Function<String, T> parse, Function<T, String> print)
{
    /** The text that asks the driver to choose. */
    static final String AUTO = "auto";

    /** The text that stands for everybody. */
    static final String ANY = "any";

    private static final long KIB = 1024;
    private static final List<String> SIZE_SUFFIXES = List.of("k", "m", "g");
    private static final List<String> TIME_SUFFIXES = List.of("ns", "us", "ms", "s");
    private static final long[] TIME_NANOS = {1, 1_000, 1_000_000, 1_000_000_000};

    static OptionType<Long> size(final long min, final long max)
    {
        final String range = printSize(min) + " to " + printSize(max);
        return new OptionType<>("size", "bytes", range, text -> within(parseSize(text), min, max, range),
            OptionType::printSize);
    }

    /** A size that may also be {@link #AUTO}, which is the value 0. */
    static OptionType<Long> sizeOrAuto(final long min, final long max, final boolean powerOfTwo)
    {
        final String range =
            "auto, or " + (powerOfTwo ? "a power of two, " : "") + printSize(min) + " to " + printSize(max);
        return new OptionType<>("size", "bytes", range, text ->
        {
            if (AUTO.equals(text))
            {
                return 0L;
            }
            final long value = within(parseSize(text), min, max, range);
            if (powerOfTwo && Long.bitCount(value) != 1)
            {
                throw new IllegalArgumentException("it must be " + range);
            }
            return value;
        }, value -> value == 0 ? AUTO : printSize(value));
    }

    /** A duration as nanoseconds. */
    static OptionType<Long> duration(final long minNanos, final long maxNanos)
    {
        final String range = printDuration(minNanos) + " to " + printDuration(maxNanos);
        return new OptionType<>("duration", "ns, us, ms or s", range,
            text -> within(parseDuration(text), minNanos, maxNanos, range), OptionType::printDuration);
    }

    static OptionType<Integer> count(final int min, final int max)
    {
        final String range = min + " to " + max;
        return new OptionType<>("count", "", range, text ->
        {
            final long value;
            try
            {
                value = Long.parseLong(text);
            }
            catch (final NumberFormatException e)
            {
                throw new IllegalArgumentException("it must be a whole number, " + range, e);
            }
            return (int) within(value, min, max, range);
        }, value -> Integer.toString(value));
    }

    static OptionType<Boolean> flag()
    {
        return new OptionType<>("switch", "", "true or false", text ->
            switch (text)
            {
                case "true" -> Boolean.TRUE;
                case "false" -> Boolean.FALSE;
                default -> throw new IllegalArgumentException("it must be true or false");
            }, value -> Boolean.toString(value));
    }

    static <E extends Enum<E>> OptionType<E> choice(final Class<E> type)
    {
        final String range = Arrays.stream(type.getEnumConstants()).map(OptionType::printEnum)
            .collect(Collectors.joining(", "));
        return new OptionType<>("choice", "", range, text ->
            Arrays.stream(type.getEnumConstants()).filter(value -> printEnum(value).equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                    "it must be one of " + range + Suggestion.of(text, List.of(range.split(", "))))),
            OptionType::printEnum);
    }

    /** An IP address as it is written, or {@link #AUTO}. */
    static OptionType<String> address()
    {
        return new OptionType<>("address", "", "auto, or an IP address", text ->
        {
            try
            {
                final String address = AUTO.equals(text) ? text : InetAddress.ofLiteral(text).getHostAddress();
                // Fewer parts than four, or leading zeros, mean what nobody expects: 127.1 is 127.0.0.1.
                if (address.equals(text) || text.indexOf(':') >= 0)
                {
                    return address;
                }
                throw new IllegalArgumentException("an IPv4 address has four numbers");
            }
            catch (final IllegalArgumentException e)
            {
                throw new IllegalArgumentException("it must be auto, or an IP address", e);
            }
        }, text -> text);
    }

    /** Name of a device as the kernel has it, or {@link #AUTO}. */
    static OptionType<String> deviceName()
    {
        final String range = "auto, or a name as ibv_devices lists it";
        return new OptionType<>("name", "", range, text ->
        {
            if (!text.matches("[A-Za-z0-9_.:-]{1,63}"))
            {
                throw new IllegalArgumentException("it must be " + range);
            }
            return text;
        }, text -> text);
    }

    /** Addresses and networks, or {@link #ANY}. */
    static OptionType<String> networks()
    {
        return new OptionType<>("networks", "", "any, or addresses and networks separated by commas", text ->
        {
            if (!ANY.equals(text))
            {
                if (text.isBlank())
                {
                    throw new IllegalArgumentException("it must be any, or addresses and networks");
                }
                AllowList.parse(text);
            }
            return text;
        }, text -> text);
    }

    static OptionType<Path> path()
    {
        return new OptionType<>("path", "", "a path", text ->
        {
            if (text.isEmpty())
            {
                throw new IllegalArgumentException("it must not be empty");
            }
            return Path.of(text);
        }, Path::toString);
    }

    private static String printEnum(final Enum<?> value)
    {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long within(final long value, final long min, final long max, final String range)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException("it must be " + range);
        }
        return value;
    }

    private static long parseSize(final String text)
    {
        final String lower = text.toLowerCase(Locale.ROOT);
        final int suffix = lower.isEmpty() ? -1 : SIZE_SUFFIXES.indexOf(lower.substring(lower.length() - 1));
        final String digits = suffix < 0 ? lower : lower.substring(0, lower.length() - 1);
        long factor = 1;
        for (int i = 0; i <= suffix; i++)
        {
            factor *= KIB;
        }
        return scaled(digits, factor, "it must be a number of bytes, with k, m or g for KiB, MiB or GiB");
    }

    private static long parseDuration(final String text)
    {
        for (int i = 0; i < TIME_NANOS.length; i++)
        {
            if (text.endsWith(TIME_SUFFIXES.get(i)))
            {
                final String digits = text.substring(0, text.length() - TIME_SUFFIXES.get(i).length());
                if (!digits.isEmpty() && Character.isDigit(digits.charAt(digits.length() - 1)))
                {
                    return scaled(digits, TIME_NANOS[i], "it must be a whole number with ns, us, ms or s");
                }
            }
        }
        throw new IllegalArgumentException("it must be a whole number with ns, us, ms or s");
    }

    private static long scaled(final String digits, final long factor, final String rule)
    {
        try
        {
            return Math.multiplyExact(Long.parseLong(digits), factor);
        }
        catch (final NumberFormatException | ArithmeticException e)
        {
            throw new IllegalArgumentException(rule, e);
        }
    }

    private static String printSize(final long bytes)
    {
        long value = bytes;
        int suffix = -1;
        while (value != 0 && value % KIB == 0 && suffix + 1 < SIZE_SUFFIXES.size())
        {
            value /= KIB;
            suffix++;
        }
        return suffix < 0 ? Long.toString(value) : value + SIZE_SUFFIXES.get(suffix);
    }

    private static String printDuration(final long nanos)
    {
        int unit = 0;
        while (unit + 1 < TIME_NANOS.length && nanos != 0 && nanos % TIME_NANOS[unit + 1] == 0)
        {
            unit++;
        }
        return nanos / TIME_NANOS[unit] + TIME_SUFFIXES.get(unit);
    }
}
