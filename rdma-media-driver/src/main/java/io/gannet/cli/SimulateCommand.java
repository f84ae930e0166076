package io.gannet.cli;

import io.gannet.driver.stream.simulation.Scenario;
import io.gannet.driver.stream.simulation.Simulations;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet simulate}.
 */
@Command(name = "simulate", description =
    "Runs replication on a simulated fabric with faults, one run per seed. Exit code 0: all passed, 1: one failed.")
public final class SimulateCommand implements Subcommand
{
    private static final int REPORT_EVERY = 1_000;

    @Option(names = "--seeds", defaultValue = "1000", paramLabel = "N",
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

    @Override
    public Integer call()
    {
        if (seeds < 1)
        {
            throw new OperatorException("--seeds must be at least 1, is " + seeds);
        }
        if (trace)
        {
            Simulations.explain(scenario(first)).forEach(System.out::println);
        }
        final long start = System.nanoTime();
        int done = 0;
        while (done < seeds)
        {
            final int count = Math.min(REPORT_EVERY, seeds - done);
            final long failed = Simulations.firstFailure(first + done, count, this::scenario);
            if (failed != Simulations.NONE)
            {
                Simulations.explain(scenario(failed)).forEach(System.out::println);
                System.out.println("seed " + failed + " failed; again: gannet simulate --seeds 1 --first " + failed +
                    (yields ? " --yield" : ""));
                return 1;
            }
            done += count;
            System.out.printf("%,d seeds passed in %d s%n", done,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        }
        return 0;
    }

    private Scenario scenario(final long seed)
    {
        final Scenario scenario = Scenario.of(seed);
        return yields ? scenario.yielding(true) : scenario;
    }
}
