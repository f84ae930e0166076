package io.gannet.driver;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Prints a line when it comes first, and what comes again at most once a minute, with how often. A line that has not
 * come for an hour is as good as a new one, so that years of different ones don't silence it. Any thread.
 */
final class RepeatedLines
{
    static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
    static final long FORGOTTEN_NANOS = TimeUnit.HOURS.toNanos(1);

    /** Lines that are remembered; of what is new beyond it only the number is printed. */
    private static final int MAX_DISTINCT = 1_000;

    private final Consumer<String> out;
    private final LongSupplier clock;
    private final Map<String, Repeated> lines = new HashMap<>();
    private long unprinted;
    private boolean full;
    private volatile long nextNanos;

    /** One line's repetitions since it was printed. */
    private static final class Repeated
    {
        private long count;
        private long sinceNanos;
        private long lastNanos;

        Repeated(final long now)
        {
            sinceNanos = now;
            lastNanos = now;
        }
    }

    /**
     * @param clock monotonic, in nanoseconds.
     */
    RepeatedLines(final Consumer<String> out, final LongSupplier clock)
    {
        this.out = out;
        this.clock = clock;
        nextNanos = clock.getAsLong() + INTERVAL_NANOS;
    }

    void print(final String line)
    {
        final List<String> due = new ArrayList<>();
        final long now;
        synchronized (this)
        {
            now = clock.getAsLong();
            final Repeated known = lines.get(line);
            if (known != null)
            {
                known.count++;
                known.lastNanos = now;
            }
            else if (lines.size() < MAX_DISTINCT)
            {
                lines.put(line, new Repeated(now));
                due.add(line);
            }
            else
            {
                unprinted++;
                if (!full)
                {
                    full = true;
                    due.add("error: these were " + MAX_DISTINCT + " different errors within an hour; of others only " +
                        "the number is printed until some have not come for an hour");
                }
            }
        }
        due.forEach(out);
        onTime(now);
    }

    /** Prints what has come again, when that is due; costs nothing when it is not. */
    void onTime(final long now)
    {
        if (now - nextNanos >= 0)
        {
            repeated(now).forEach(out);
        }
    }

    private synchronized List<String> repeated(final long now)
    {
        final List<String> due = new ArrayList<>();
        if (now - nextNanos < 0)
        {
            return due;     // another thread was first
        }
        nextNanos = now + INTERVAL_NANOS;
        for (final Iterator<Map.Entry<String, Repeated>> all = lines.entrySet().iterator(); all.hasNext();)
        {
            final Map.Entry<String, Repeated> entry = all.next();
            final Repeated repeated = entry.getValue();
            if (repeated.count > 0)
            {
                due.add(entry.getKey() + " (again " + repeated.count + " times in " +
                    TimeUnit.NANOSECONDS.toSeconds(now - repeated.sinceNanos) + " s)");
            }
            else if (now - repeated.lastNanos >= FORGOTTEN_NANOS)
            {
                all.remove();
            }
            repeated.count = 0;
            repeated.sinceNanos = now;
        }
        if (unprinted > 0)
        {
            due.add("error: " + unprinted + " other errors were not printed");
            unprinted = 0;
        }
        full &= lines.size() >= MAX_DISTINCT;
        return due;
    }
}
