package io.gannet.samples.marketdata.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line by which a child process tells its parent how it is: a mark, then {@code key=value} pairs, tab-separated.
 */
public final class StatusLine
{
    /** Key of the time of a line, by the monotonic clock, which all processes of a host have in common. */
    public static final String AT = "at";
    private static final String MARK = "@status";

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Sets a value; tabs and line ends in it become spaces. */
    public StatusLine put(final String key, final Object value)
    {
        values.put(key, String.valueOf(value).replaceAll("[\\t\\r\\n]", " "));
        return this;
    }

    /**
     * Sets the time to now. Of two lines, what was counted before one's time had happened when the other was counted
     * after the same time: who sends takes the time first, then counts; who receives counts first.
     */
    public StatusLine now()
    {
        return put(AT, System.nanoTime());
    }

    /** A number, or 0 if it is absent or none. */
    public long number(final String key)
    {
        try
        {
            return Long.parseLong(values.getOrDefault(key, "0"));
        }
        catch (final NumberFormatException notANumber)
        {
            return 0;
        }
    }

    /** A text, or "" if it is absent. */
    public String text(final String key)
    {
        return values.getOrDefault(key, "");
    }

    /** Whether there is such a key. */
    public boolean has(final String key)
    {
        return values.containsKey(key);
    }

    /** The line. */
    @Override
    public String toString()
    {
        final StringBuilder line = new StringBuilder(MARK);
        values.forEach((key, value) -> line.append('\t').append(key).append('=').append(value));
        return line.toString();
    }

    /** Reads a line; null if it is no status. */
    public static StatusLine parse(final String line)
    {
        if (!line.startsWith(MARK + "\t"))
        {
            return null;
        }
        final StatusLine status = new StatusLine();
        for (final String pair : line.substring(MARK.length() + 1).split("\t", -1))
        {
            final int equals = pair.indexOf('=');
            if (equals > 0)
            {
                status.values.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return status;
    }
}
