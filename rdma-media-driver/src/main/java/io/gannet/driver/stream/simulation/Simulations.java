package io.gannet.driver.stream.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Runs by their seeds.
 */
public final class Simulations
{
    /** No seed failed. */
    public static final long NONE = -1;

    private static final int TRACE_LINES = 400;

    private Simulations()
    {
    }

    /** As {@link #firstFailure(long, int, LongFunction)}, of what seeds say. */
    public static long firstFailure(final long first, final int count)
    {
        return firstFailure(first, count, Scenario::of);
    }

    /** As {@link #firstFailure(long, int, LongFunction)}, all in the one mode or all in the other. */
    public static long firstFailure(final long first, final int count, final boolean yields)
    {
        return firstFailure(first, count, seed -> Scenario.of(seed).yielding(yields));
    }

    /**
     * Runs seeds until one fails.
     *
     * @param first     seed.
     * @param count     of seeds at most.
     * @param scenarios of seeds.
     * @return the first seed that failed, or {@link #NONE}.
     */
    public static long firstFailure(final long first, final int count, final LongFunction<Scenario> scenarios)
    {
        for (long seed = first; seed < first + count; seed++)
        {
            if (failure(scenarios.apply(seed), 0) != null)
            {
                return seed;
            }
        }
        return NONE;
    }

    /**
     * Runs one scenario again, with its trace.
     *
     * @return what it is, why it failed and its last events, a line each.
     */
    public static List<String> explain(final Scenario scenario)
    {
        final Simulation simulation = new Simulation(scenario, TRACE_LINES);
        final List<String> lines = new ArrayList<>();
        lines.add(scenario.toString());
        final RuntimeException failure = run(simulation);
        lines.addAll(simulation.trace());
        lines.add(failure == null ? "passes" : failure.toString());
        return lines;
    }

    private static RuntimeException failure(final Scenario scenario, final int traceLines)
    {
        return run(new Simulation(scenario, traceLines));
    }

    /** Whatever a run throws counts: an engine that throws is as broken as one that loses a message. */
    private static RuntimeException run(final Simulation simulation)
    {
        try
        {
            simulation.run();
            return null;
        }
        catch (final RuntimeException failure)
        {
            return failure;
        }
    }
}
