package io.gannet.perf.cli;

import io.gannet.cli.UsageException;
import io.gannet.perf.rig.WatchedRun;
import io.gannet.perf.rig.WatchedRun.Looker;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.agrona.collections.MutableInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf watched}: what it costs a stream that somebody looks on.
 */
@Command(name = "watched", mixinStandardHelpOptions = true, description = {
    "Measures a stream of this host in turn while nobody looks, while an exporter is scraped 20 times a second, and " +
        "while gannet trace samples the stream: at full speed, which takes two processors, and with pauses between " +
        "messages in which publisher and subscriber sleep.",
    "Exporter and trace are processes that are stopped meanwhile. Processor time is that of publisher and subscriber " +
        "for a message, and that of the driver's threads for a second: what a busy machine changes least."})
public final class WatchedCommand implements Callable<Integer>
{
    @Option(names = "--rounds", defaultValue = "15",
        description = "Phases of each kind. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--phase", paramLabel = "MS", defaultValue = "300",
        description = "Length of a phase. Default: ${DEFAULT-VALUE}.")
    private int phaseMillis;

    @Option(names = "--pause", paramLabel = "US", defaultValue = "50",
        description = "Microseconds between two messages; the kernel adds some. Default: ${DEFAULT-VALUE}.")
    private int pauseMicros;

    @Option(names = "--length", defaultValue = "96", description = "Of a message. Default: ${DEFAULT-VALUE}.")
    private int length;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        if (rounds < 1 || phaseMillis < 10 || pauseMicros < 1 || length < Long.BYTES)
        {
            throw new UsageException("--rounds and --pause must be 1 or more, --phase 10 or more, --length 8 or more");
        }
        try (WatchedRun run = new WatchedRun(length, pauseMicros))
        {
            System.out.printf(Locale.ROOT, "medians of %d phases of %d ms [least, most]; messages of %d bytes%n",
                rounds, phaseMillis, length);
            print("full speed", run.phases(rounds, phaseMillis, false), false);
            print("pauses of " + pauseMicros + " us", run.phases(rounds, phaseMillis, true), true);
        }
        return 0;
    }

    private static void print(final String what, final Map<Looker, List<WatchedRun.Phase>> found, final boolean paced)
    {
        System.out.printf("%n%-34s%28s%28s%28s%n", what, "nobody", "exporter, 20 scrapes/s", "trace");
        if (paced)
        {
            row("p50, us", found, phase -> phase.p50() / 1e3);
            row("p99, us", found, phase -> phase.p99() / 1e3);
        }
        row("messages/s, thousands", found, phase -> phase.rate() / 1e3);
        row("publisher, processor ns/message", found, WatchedRun.Phase::publisherNanos);
        row("subscriber, processor ns/message", found, WatchedRun.Phase::subscriberNanos);
        row("driver, processor ms/s", found, WatchedRun.Phase::driverMillis);
        row("looker, processor ms/s", found, WatchedRun.Phase::lookerMillis);
        ratio(found, paced);
    }

    private static void row(
        final String name,
        final Map<Looker, List<WatchedRun.Phase>> found,
        final ToDoubleFunction<WatchedRun.Phase> value)
    {
        final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-34s", name));
        for (final Looker looker : Looker.values())
        {
            final double[] sorted = found.get(looker).stream().mapToDouble(value).sorted().toArray();
            line.append(String.format(Locale.ROOT, "%28s", number(sorted[sorted.length / 2]) + " [" +
                number(sorted[0]) + ", " + number(sorted[sorted.length - 1]) + "]"));
        }
        System.out.println(line);
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }

    /** Of the processor time of a message to that in the phase of the same round in which nobody looked. */
    private static void ratio(final Map<Looker, List<WatchedRun.Phase>> found, final boolean paced)
    {
        final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-34s",
            paced ? "ratio of p50, median" : "ratio of ns/message, median"));
        for (final Looker looker : Looker.values())
        {
            final MutableInteger round = new MutableInteger();
            final double[] ratios = found.get(looker).stream().mapToDouble(phase ->
            {
                final WatchedRun.Phase alone = found.get(Looker.NOBODY).get(round.getAndIncrement());
                return paced ? phase.p50() / alone.p50() : (phase.publisherNanos() + phase.subscriberNanos()) /
                    (alone.publisherNanos() + alone.subscriberNanos());
            }).sorted().toArray();
            line.append(String.format(Locale.ROOT, "%28.2f", ratios[ratios.length / 2]));
        }
        System.out.println(line);
    }
}
