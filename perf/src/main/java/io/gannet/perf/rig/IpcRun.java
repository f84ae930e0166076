package io.gannet.perf.rig;

import io.aeron.driver.MediaDriverVersion;
import io.gannet.perf.worker.Phase;
import io.gannet.perf.worker.Scenario;
import io.gannet.perf.worker.Scenario.LoadKind;
import io.gannet.perf.worker.ThreadResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One run over shared memory: starts the drivers and workers, lets the scenarios take turns, collects what they saw.
 */
public final class IpcRun
{
    /** How long before its start a phase is commanded: the workers wake and probe meanwhile. */
    private static final long LEAD_NANOS = 5_000_000;
    private static final long BUSY_LEAD_NANOS = 25_000_000;
    /** Head start of the producers of a backlog start: enough to fill any window. */
    private static final long HEAD_NANOS = 3_000_000;
    private static final long LONG_HEAD_PER_BYTE_NANOS = 1;
    private static final int REST_FACTOR = 3;
    /** Phases of a scenario that are run and thrown away, since code may be compiled again in them. */
    private static final int DISCARDED = 4;
    private static final int DISCARDED_MS = 30;
    /** As the workers are told. */
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final IpcOptions options;
    private final PrintWriter progress;
    private final Results results = new Results();
    private final long begun = System.nanoTime();
    private int phases;

    /**
     * @param progress where one line for each group goes.
     */
    public IpcRun(final IpcOptions options, final PrintWriter progress)
    {
        this.options = options;
        this.progress = progress;
    }

    /** Runs everything; ends all processes and removes all files however it ends. */
    public RunRecord run() throws IOException, InterruptedException
    {
        final Map<String, String> machine = Machine.describe();
        final List<Plan.Group> groups = Plan.of(options);
        if (groups.isEmpty())
        {
            throw new RigException("no benchmark matches " + options.benches());
        }
        try (Children children = new Children(); Watchdog watchdog = new Watchdog(options.budgetSeconds() * 2L + 60))
        {
            final Drivers drivers = startDrivers(children);
            for (int i = 0; i < groups.size(); i++)
            {
                final double share = 1.0 / (groups.size() - i);
                final double left = options.budgetSeconds() - seconds();
                runGroup(children, drivers, groups.get(i), seconds() + left * share);
            }
            drivers.runAll();
            watchdog.done();
        }
        return new RunRecord(machine, configuration(), results);
    }

    private Drivers startDrivers(final Children children) throws IOException, InterruptedException
    {
        final Drivers drivers = new Drivers(children);
        if (options.has("aeron"))
        {
            drivers.start("aeron", AeronDriverMain.class, JvmFlags.driver(options));
        }
        if (options.has("gannet"))
        {
            drivers.start("gannet", GannetDriverMain.class, JvmFlags.driver(options));
        }
        drivers.awaitReady();
        if (options.realTime())
        {
            for (final String peer : drivers.peers())
            {
                RealTime.raise(drivers.pid(peer));
            }
        }
        return drivers;
    }

    private void runGroup(
        final Children children, final Drivers drivers, final Plan.Group group, final double untilSeconds)
        throws IOException, InterruptedException
    {
        drivers.runAll();
        final double from = seconds();
        try (WorkerPair workers = new WorkerPair(children, group.layout(), group.scenarios(),
            drivers.directory("gannet"), drivers.directory("aeron"), JvmFlags.worker(options)))
        {
            workers.prepare();
            final double prepared = seconds();
            final List<Turn> turns = turns(group);
            for (int i = 0; i < DISCARDED; i++)
            {
                for (final Turn turn : turns)
                {
                    phase(workers, drivers, turn, Math.min(DISCARDED_MS, options.phaseMillis()));
                }
            }
            int rotations = 0;
            final int wanted = options.rounds() * IpcOptions.PHASES_PER_ROUND;
            do
            {
                // Each rotation starts elsewhere, so that no scenario always follows the same one.
                for (int i = 0; i < turns.size(); i++)
                {
                    measure(workers, drivers, turns.get((i + rotations * 7) % turns.size()));
                }
                rotations++;
            }
            while (rotations < wanted && seconds() < untilSeconds);
            drivers.runAll();
            progress.printf("%s: %d scenarios, ready after %.1f s, %d phases each in %.1f s%n", group.title(),
                group.scenarios().size(), prepared - from, rotations, seconds() - prepared);
            progress.flush();
        }
    }

    private record Turn(Scenario scenario, Sample.Start start)
    {
    }

    private static List<Turn> turns(final Plan.Group group)
    {
        final List<Turn> turns = new ArrayList<>();
        for (final Scenario scenario : group.scenarios())
        {
            turns.add(new Turn(scenario, Sample.Start.EVEN));
        }
        if (group.bothStarts())
        {
            for (final Scenario scenario : group.scenarios())
            {
                if (scenario.load() == LoadKind.THROUGHPUT)
                {
                    turns.add(new Turn(scenario, Sample.Start.BACKLOG));
                }
            }
        }
        return turns;
    }

    private void measure(final WorkerPair workers, final Drivers drivers, final Turn turn)
        throws IOException, InterruptedException
    {
        final long at = (System.nanoTime() - begun) / 1_000_000;
        final long stolen = Machine.stolenMillis();
        final List<ThreadResult> threads =
            phase(workers, drivers, turn, options.phaseMillis());
        long before = 0;
        long after = 0;
        long preempted = 0;
        long gaps = 0;
        long gapNanos = 0;
        double messages = Double.MAX_VALUE;
        double nanos = 1;
        Histogram latencies = null;
        final LoadKind load = turn.scenario().load();
        for (final ThreadResult thread : threads)
        {
            before = thread.probeBefore() != 0 ? thread.probeBefore() : before;
            after = thread.probeAfter() != 0 ? thread.probeAfter() : after;
            preempted += thread.preempted();
            gaps += thread.gaps();
            gapNanos += thread.gapNanos();
            if (thread.role().equals("producer") == (load == LoadKind.PING_PONG) && thread.messages() < messages)
            {
                messages = thread.messages();
                nanos = thread.nanos();
            }
            if (thread.histogram() != null)
            {
                final Histogram decoded = decode(thread.histogram());
                if (latencies == null)
                {
                    latencies = decoded;
                }
                else
                {
                    latencies.add(decoded);
                }
            }
        }
        final Placement placement = turn.scenario().isCrowded(PROCESSORS) ? Placement.ANY :
            Placement.of(before, after, options.nearNanos());
        results.add(new Sample(turn.scenario(), turn.start(), placement, before, at,
            metrics(load, messages * 1e9 / nanos, latencies), new Sample.Interruptions(preempted, gaps,
            gapNanos / 1000, Machine.stolenMillis() - stolen)), latencies);
    }

    private List<ThreadResult> phase(
        final WorkerPair workers, final Drivers drivers, final Turn turn, final int millis)
        throws IOException, InterruptedException
    {
        drivers.runOnly(turn.scenario().peer());
        final long head = turn.start() == Sample.Start.BACKLOG ?
            HEAD_NANOS + turn.scenario().ringBytes() / 8L * LONG_HEAD_PER_BYTE_NANOS : 0;
        final long start = System.nanoTime() + (options.realTime() ? BUSY_LEAD_NANOS : LEAD_NANOS) + head;
        final long end = start + millis * 1_000_000L;
        final List<ThreadResult> results =
            workers.run(new Phase(++phases, turn.scenario().id(), start, end, head, options.realTime()));
        if (options.realTime())
        {
            Thread.sleep((long) REST_FACTOR * millis);
        }
        return results;
    }

    private static Map<String, Double> metrics(final LoadKind load, final double rate, final Histogram latencies)
    {
        final Map<String, Double> metrics = new LinkedHashMap<>();
        if (load != LoadKind.PING_PONG)
        {
            metrics.put(Row.RATE, rate);
        }
        if (latencies != null && latencies.getTotalCount() > 0)
        {
            metrics.put("p50Nanos", (double) latencies.getValueAtPercentile(50));
            metrics.put("p90Nanos", (double) latencies.getValueAtPercentile(90));
            metrics.put("p99Nanos", (double) latencies.getValueAtPercentile(99));
        }
        return metrics;
    }

    private static Histogram decode(final String text)
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        }
        catch (final DataFormatException e)
        {
            throw new RigException("a worker sent a histogram that can't be read", e);
        }
    }

    private double seconds()
    {
        return (System.nanoTime() - begun) / 1e9;
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put("layout", "threads pinned to a processor each, or free and yielding where there are more threads " +
            "than processors; drivers are processes of their own, and only the measured peer's driver runs");
        facts.put("phase", options.phaseMillis() + " ms, peers in turn, " + IpcOptions.PHASES_PER_ROUND +
            " phases a round; cells of fewer than " + IpcOptions.FEWEST + " phases are not seen; value = median, " +
            "spread = quartiles");
        facts.put("ring", "Gannet ring, Aeron term, Agrona ring and Disruptor payloads " +
            (options.ringBytes() >> 20) + " MiB each");
        facts.put("sending", "offer: payload copied from an off-heap buffer");
        facts.put("receiving", "poll of at most 256 messages; the handler reads and checks every word");
        facts.put("idle", "PAUSE while waiting, yield where there are more threads than processors");
        facts.put("bounds checks", options.boundsChecks() ? "on (Agrona's)" : "off (Agrona's), for all peers");
        facts.put("scheduling", options.realTime() ? "first-in-first-out, 25 % duty" : "normal");
        facts.put("near", "line round trip below " + options.nearNanos() + " ns; any: more threads than " +
            "processors, not probed");
        facts.put("workers", String.join(" ", JvmFlags.worker(options)));
        facts.put("drivers", String.join(" ", JvmFlags.driver(options)));
        facts.put("aeron", MediaDriverVersion.VERSION + ", SHARED, default back-off, clients by invoker");
        return facts;
    }
}
