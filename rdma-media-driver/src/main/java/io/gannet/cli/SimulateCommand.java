package io.gannet.cli;

import io.gannet.driver.stream.simulation.Scenario;
import io.gannet.driver.stream.simulation.Simulations;
import io.gannet.text.Json;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code gannet simulate}.
 */
@Command(name = "simulate", description =
    "Runs replication on a simulated fabric with faults, one run per seed. Exit code 0: all passed, 1: one failed.")
public final class SimulateCommand implements Subcommand
{
    private static final int REPORT_EVERY = 1_000;
    private static final int REPORT_WIDE_EVERY = 10;
    /** Publications have identifiers of their own in every run, made of its seed. */
    private static final long MAX_SEED = 1L << 50;
    private static final int MAX_SUBSCRIBERS = 63;
    private static final int MAX_STREAMS = 200;
    /** What the simulated device of the publisher has room for. */
    private static final int MAX_CONNECTIONS = 2_000;

    @Option(names = "--seeds", defaultValue = "1000", paramLabel = "N", converter = SeedCount.class,
        description = "Runs, each with a seed of its own. Default: ${DEFAULT-VALUE}.")
    private int seeds;

    @Option(names = "--first", defaultValue = "1", paramLabel = "SEED",
        description = "First seed. Default: ${DEFAULT-VALUE}.")
    private long first;

    @Option(names = "--trace", description = "Prints the last events of the first seed, whether or not it passes.")
    private boolean trace;

    @Option(names = "--yield", description = "Lets threads lose their processors between any two accesses to ring " +
        "memory in every run, not only in every tenth. Slower.")
    private boolean yields;

    @Option(names = "--subscribers", paramLabel = "N",
        description = "Hosts with subscribers of one fan-out publisher in every run, 1 to 63. Default: by the seed.")
    private Integer subscribers;

    @Option(names = "--streams", paramLabel = "N",
        description = "Publications in every run, 1 to 200, each of which goes to all subscribers. Default: by the " +
        "seed.")
    private Integer streams;

    @Option(names = "--narrow",
        description = "Two publications that begin over narrow links in every run.")
    private boolean narrow;

    @Option(names = "--json", description = "Prints one JSON object at the end, and nothing before: seeds that " +
        "passed, the first that failed, or null, with the command that runs it again and the last events of its run.")
    private boolean json;

    @Override
    public Integer call()
    {
        check();
        if (json)
        {
            return callJson();
        }
        if (trace)
        {
            Simulations.explain(scenario(first)).forEach(System.out::println);
        }
        final long start = System.nanoTime();
        int done = 0;
        while (done < seeds)
        {
            final int count = step(done);
            final long failed = Simulations.firstFailure(first + done, count, this::scenario);
            if (failed != Simulations.NONE)
            {
                Simulations.explain(scenario(failed)).forEach(System.out::println);
                System.out.println("seed " + failed + " failed; again: " + again(failed));
                return 1;
            }
            done += count;
            System.out.printf("%,d seeds passed in %d s%n", done,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        }
        return 0;
    }

    private int step(final int done)
    {
        final int every = subscribers == null && streams == null ? REPORT_EVERY : REPORT_WIDE_EVERY;
        return Math.min(every, seeds - done);
    }

    private String again(final long failed)
    {
        return "gannet simulate --seeds 1 --first " + failed + (yields ? " --yield" : "") +
            (narrow ? " --narrow" : "") + (subscribers == null ? "" : " --subscribers " + subscribers) +
            (streams == null ? "" : " --streams " + streams);
    }

    private int callJson()
    {
        final long start = System.nanoTime();
        final long failed = Simulations.firstFailure(first, seeds, this::scenario);
        final Json text = new Json().object()
            .name("first").value(first)
            .name("seeds").value(seeds)
            .name("passed").value(failed == Simulations.NONE ? seeds : failed - first)
            .name("millis").value(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        if (failed == Simulations.NONE)
        {
            text.name("failed").nothing();
        }
        else
        {
            text.name("failed").value(failed).name("again").value(again(failed));
        }
        if (failed != Simulations.NONE || trace)
        {
            text.name("events").array();
            Simulations.explain(scenario(failed == Simulations.NONE ? first : failed)).forEach(text::value);
            text.end();
        }
        System.out.println(text.end().text());
        return failed == Simulations.NONE ? 0 : 1;
    }

    private void check()
    {
        if (seeds < 1)
        {
            throw new UsageException("--seeds must be at least 1, is " + seeds);
        }
        if (first < 0 || first > MAX_SEED - seeds)
        {
            throw new UsageException("--first must be in [0, " + (MAX_SEED - seeds) + "], is " + first);
        }
        if (narrow && (subscribers != null || streams != null))
        {
            throw new UsageException("--narrow says itself how many subscribers and streams there are: leave " +
                "--subscribers and --streams out");
        }
        checkRange("--subscribers", subscribers, MAX_SUBSCRIBERS);
        checkRange("--streams", streams, MAX_STREAMS);
        if (subscribers != null && streams != null && subscribers * streams > MAX_CONNECTIONS)
        {
            throw new UsageException("--subscribers times --streams must be at most " + MAX_CONNECTIONS + ", is " +
                subscribers * streams);
        }
    }

    private static void checkRange(final String option, final Integer value, final int most)
    {
        if (value != null && (value < 1 || value > most))
        {
            throw new UsageException(option + " must be in [1, " + most + "], is " + value);
        }
    }

    private Scenario scenario(final long seed)
    {
        final Scenario scenario = narrow ? Scenario.narrow(seed) :
            subscribers == null && streams == null ? Scenario.of(seed) :
            Scenario.wide(seed, subscribers == null ? 1 : subscribers, streams == null ? 1 : streams);
        return yields ? scenario.yielding(true) : scenario;
    }

    /** What is no number, or too large a one, is told with the limits. */
    private static final class SeedCount implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            try
            {
                return Integer.valueOf(text);
            }
            catch (final NumberFormatException ex)
            {
                throw new TypeConversionException(
                    "it must be a whole number from 1 to " + Integer.MAX_VALUE + ", is '" + text + "'");
            }
        }
    }
}
