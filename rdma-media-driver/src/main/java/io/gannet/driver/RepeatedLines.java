package io.gannet.driver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Prints a line when it comes first, and what comes again at most once a minute, with how often. Any thread.
 */
final class RepeatedLines
{
    static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Distinct lines printed; what comes after is in the distinct-error log only. */
    private static final int MAX_DISTINCT = 1_000;

    private final Consumer<String> out;
    private final LongSupplier clock;
    private final Map<String, Repeated> lines = new ConcurrentHashMap<>();
    private volatile long nextNanos;

    /** One line's repetitions since it was printed. */
    private static final class Repeated
    {
        private long count;
        private long sinceNanos;

        Repeated(final long now)
        {
            sinceNanos = now;
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
        final Repeated known = lines.get(line);
        if (known != null)
        {
            synchronized (known)
            {
                known.count++;
            }
            onTime(clock.getAsLong());
        }
        else if (lines.size() < MAX_DISTINCT && lines.putIfAbsent(line, new Repeated(clock.getAsLong())) == null)
        {
            out.accept(line);
            if (lines.size() == MAX_DISTINCT)
            {
                out.accept("error: that were " + MAX_DISTINCT + " different errors; others are not printed, but are " +
                    "in gannet errors");
            }
        }
    }

    /** Prints what has come again, when that is due. */
    void onTime(final long now)
    {
        if (now - nextNanos >= 0)
        {
            nextNanos = now + INTERVAL_NANOS;
            lines.forEach((line, repeated) ->
            {
                final long count;
                final long nanos;
                synchronized (repeated)
                {
                    count = repeated.count;
                    nanos = now - repeated.sinceNanos;
                    repeated.count = 0;
                    repeated.sinceNanos = now;
                }
                if (count > 0)
                {
                    out.accept(line + " (again " + count + " times in " + TimeUnit.NANOSECONDS.toSeconds(nanos) +
                        " s)");
                }
            });
        }
    }
}
