package io.gannet.perf.rig;

import io.gannet.perf.worker.Network;
import io.gannet.perf.worker.Phase;
import io.gannet.perf.worker.Program;
import io.gannet.perf.worker.Scenario;
import io.gannet.perf.worker.Scenario.Layout;
import io.gannet.perf.worker.Scenario.LoadKind;
import io.gannet.perf.worker.ThreadResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One run over loopback packets: publisher, its driver, the subscriber's driver, subscriber, each a process, or the
 * drivers embedded in the two others. All peers' drivers run all the time, as connections would break if they were
 * stopped; those that have nothing to do sleep.
 */
public final class NetRun
{
    private static final long LEAD_NANOS = 10_000_000;
    /** Short phases that are not counted: drivers that sleep in between learn what all of their branches are for. */
    private static final int DISCARDED = 12;
    private static final int DISCARDED_MILLIS = 100;
    private static final long START_MS = 60_000;
    /** Which process of a side is which. */
    private static final List<String> PARTS =
        List.of(" publisher", " subscriber", " publisher's driver", " subscriber's driver");
    private static final double PING_PONG_MESSAGES = 2;

    private final NetOptions options;
    private final PrintWriter progress;
    private final NetResults results;
    private final long begun = System.nanoTime();
    private int phases;

    /**
     * @param progress where one line for each group goes.
     */
    public NetRun(final NetOptions options, final PrintWriter progress)
    {
        this.options = options;
        this.progress = progress;
        results = new NetResults(options);
    }

    /** Runs everything; ends all processes and removes all files however it ends. */
    public NetResults run() throws IOException, InterruptedException
    {
        final List<Layout> layouts = options.embedded() ?
            List.of(Layout.FOUR_PROCESSES, Layout.TWO_EMBEDDED) : List.of(Layout.FOUR_PROCESSES);
        final List<Layout> wanted = layouts.stream().filter(layout -> !scenarios(layout).isEmpty()).toList();
        if (wanted.isEmpty())
        {
            throw new RigException("no benchmark matches " + options.benches());
        }
        try (Watchdog watchdog = new Watchdog(options.budgetSeconds() * 2L + 120))
        {
            for (int i = 0; i < wanted.size(); i++)
            {
                final double left = options.budgetSeconds() - seconds();
                try (Children children = new Children())
                {
                    runLayout(children, wanted.get(i), seconds() + left / (wanted.size() - i));
                }
            }
            watchdog.done();
        }
        return results;
    }

    private void runLayout(final Children children, final Layout layout, final double untilSeconds)
        throws IOException, InterruptedException
    {
        final List<Scenario> scenarios = scenarios(layout);
        final Ends ends = new Ends(children.directory());
        final Map<String, List<ChildProcess>> drivers = new LinkedHashMap<>();
        final boolean external = layout == Layout.FOUR_PROCESSES;
        if (external)
        {
            startDrivers(children, ends, drivers);
        }
        final double from = seconds();
        try (WorkerPair workers =
            new WorkerPair(children, layout, scenarios, ends::place, JvmFlags.netWorker(options, external)))
        {
            workers.prepare();
            final double prepared = seconds();
            for (int i = 0; i < DISCARDED; i++)
            {
                for (final Scenario scenario : scenarios)
                {
                    phase(workers, scenario, DISCARDED_MILLIS);
                }
            }
            int rotations = 0;
            do
            {
                // Each rotation starts elsewhere, so that no scenario always follows the same one.
                for (int i = 0; i < scenarios.size(); i++)
                {
                    measure(workers, drivers, scenarios.get((i + rotations * 7) % scenarios.size()));
                }
                rotations++;
            }
            while (rotations < options.rounds() || (seconds() < untilSeconds && rotations < 3 * options.rounds()));
            progress.printf("%s: %d scenarios, ready after %.1f s, %d phases each in %.1f s%n", layout.label(),
                scenarios.size(), prepared - from, rotations, seconds() - prepared);
            progress.flush();
        }
    }

    private List<Scenario> scenarios(final Layout layout)
    {
        final List<Scenario> scenarios = new ArrayList<>();
        for (final int size : options.sizes())
        {
            for (final LoadKind load : List.of(LoadKind.THROUGHPUT, LoadKind.PING_PONG))
            {
                for (final String peer : options.peers())
                {
                    final Scenario scenario = new Scenario(
                        scenarios.size(), peer, load, size, true, 1, 1, layout, options.ringBytes(), 0);
                    if (options.wants(scenario.bench()))
                    {
                        scenarios.add(scenario);
                    }
                }
            }
        }
        return scenarios;
    }

    private void startDrivers(
        final Children children, final Ends ends, final Map<String, List<ChildProcess>> drivers)
        throws IOException, InterruptedException
    {
        for (final Program.Side side : List.of(Program.Side.PUBLISHERS, Program.Side.SUBSCRIBERS))
        {
            final WorkerPair.Place place = ends.place(side);
            final List<String> gannet = new ArrayList<>(JvmFlags.netDriver(options));
            gannet.addAll(List.of("-Drig.directory=" + place.gannetDirectory(),
                "-Drig.address=" + place.network().gannetHere(), "-Drig.idle=" + options.idle()));
            gannet.addAll(half(side));
            add(drivers, "gannet", children.start("gannet-driver-" + side, GannetDriverMain.class, gannet));
            if (options.peers().stream().anyMatch(peer -> peer.startsWith("aeron")))
            {
                final List<String> aeron = new ArrayList<>(JvmFlags.netDriver(options));
                aeron.addAll(List.of("-Drig.directory=" + place.aeronDirectory(), "-Drig.network=true"));
                aeron.addAll(half(side));
                add(drivers, "aeron", children.start("aeron-driver-" + side, AeronDriverMain.class, aeron));
            }
        }
        for (final List<ChildProcess> pair : drivers.values())
        {
            for (final ChildProcess driver : pair)
            {
                driver.answer(START_MS);
            }
        }
    }

    private List<String> half(final Program.Side side)
    {
        return options.apart() ? List.of("-Drig.half=" + (side == Program.Side.SUBSCRIBERS)) : List.of();
    }

    private static void add(
        final Map<String, List<ChildProcess>> drivers, final String name, final ChildProcess driver)
    {
        drivers.computeIfAbsent(name, key -> new ArrayList<>()).add(driver);
    }

    private void measure(
        final WorkerPair workers, final Map<String, List<ChildProcess>> drivers, final Scenario scenario)
        throws IOException, InterruptedException
    {
        final List<ChildProcess> own =
            drivers.getOrDefault(scenario.peer().startsWith("aeron") ? "aeron" : "gannet", List.of());
        final List<ChildProcess> side = new ArrayList<>(workers.processes());
        side.addAll(own);
        final long[] before = processorNanos(side);
        final List<ThreadResult> threads = phase(workers, scenario, options.phaseMillis());
        final long[] after = processorNanos(side);
        final boolean pingPong = scenario.load() == LoadKind.PING_PONG;
        for (final ThreadResult thread : threads)
        {
            if (thread.role().equals("producer") == pingPong)
            {
                if (pingPong)
                {
                    final Histogram latencies = decode(thread.histogram());
                    results.add(scenario, "p50Nanos", (double) latencies.getValueAtPercentile(50));
                    results.add(scenario, "p99Nanos", (double) latencies.getValueAtPercentile(99));
                    addProcessor(scenario, before, after, PING_PONG_MESSAGES * thread.messages());
                }
                else
                {
                    results.add(scenario, Row.RATE, thread.messages() * 1e9 / thread.nanos());
                }
            }
            else if (!pingPong)
            {
                // Whatever was sent arrived: the phase ends when the subscriber has it all.
                addProcessor(scenario, before, after, (double) thread.messages());
            }
        }
    }

    private void addProcessor(
        final Scenario scenario, final long[] before, final long[] after, final double messages)
    {
        double sum = 0;
        for (int i = 0; i < before.length; i++)
        {
            sum += after[i] - before[i];
            results.add(scenario, NetResults.PROCESSOR + PARTS.get(i), (after[i] - before[i]) / Math.max(1, messages));
        }
        results.add(scenario, NetResults.PROCESSOR, sum / Math.max(1, messages));
    }

    private static long[] processorNanos(final List<ChildProcess> processes)
    {
        return processes.stream().mapToLong(process -> Machine.processorNanos(process.pid())).toArray();
    }

    private List<ThreadResult> phase(final WorkerPair workers, final Scenario scenario, final int millis)
        throws IOException, InterruptedException
    {
        final long start = System.nanoTime() + LEAD_NANOS;
        return workers.run(new Phase(
            ++phases, scenario.id(), start, start + millis * 1_000_000L, 0, false));
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

    /** Directories and loopback addresses of the two ends, the run's own. */
    private static final class Ends
    {
        private final Map<Program.Side, WorkerPair.Place> places = new LinkedHashMap<>();

        Ends(final Path parent) throws IOException
        {
            final ThreadLocalRandom random = ThreadLocalRandom.current();
            final String net = "127." + random.nextInt(1, 255) + "." + random.nextInt(255) + ".";
            final String[] gannet = {net + 1, net + 2};
            final String[] aeron = {endpoint(), endpoint()};
            final Program.Side[] sides = {Program.Side.PUBLISHERS, Program.Side.SUBSCRIBERS};
            for (int i = 0; i < sides.length; i++)
            {
                final Path home = Files.createDirectory(parent.resolve("end-" + sides[i]));
                places.put(sides[i], new WorkerPair.Place(home.resolve("gannet"), home.resolve("aeron"),
                    new Network(gannet[i], gannet[1 - i], aeron[i], aeron[1 - i])));
            }
        }

        private static String endpoint() throws IOException
        {
            try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
            {
                return "127.0.0.1:" + socket.getLocalPort();
            }
        }

        WorkerPair.Place place(final Program.Side side)
        {
            return places.get(side);
        }
    }
}
