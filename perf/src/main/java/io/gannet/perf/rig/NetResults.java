package io.gannet.perf.rig;

import com.google.gson.GsonBuilder;
import io.gannet.perf.worker.DriverLaunch;
import io.gannet.perf.worker.Scenario;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a network run measured: values by benchmark, size, metric and peer.
 */
public final class NetResults
{
    /** User and system time of all processes of a side, by messages delivered. */
    static final String PROCESSOR = "processorNanosPerMessage";

    private static final String OURS = "gannet";
    private static final String FORMAT = "%-30s %6s %-12s %-40s %26s %26s %7s %4s%n";

    private final Map<String, String> machine = new LinkedHashMap<>(Machine.describe());
    private final Map<Cell, Map<String, List<Double>>> values = new LinkedHashMap<>();

    private record Cell(String bench, int size, String metric)
    {
    }

    /**
     * One line: medians with quartiles, {@code ratio}, ours by the peer's, and all values, in the order of the rounds.
     */
    private record Line(
        String bench,
        int size,
        String peer,
        String metric,
        int n,
        double gannet,
        double gannetLow,
        double gannetHigh,
        Double peerValue,
        Double peerLow,
        Double peerHigh,
        Double ratio,
        List<Double> gannetValues,
        List<Double> peerValues)
    {
    }

    NetResults(final NetOptions options)
    {
        final int ring = options.ringBytes();
        final String log = (ring == 0 ? Scenario.DEFAULT_RING_BYTES : ring) / (1 << 20) + " MiB";
        machine.put("gannet", "one thread for a driver's agents, idle=" + options.idle() + "; rings of " + log +
            (ring == 0 ? ", the default" : ""));
        machine.put("aeron", "SHARED, " + DriverLaunch.AERON_YIELDS + " yields, then parks of 1 us to 1 ms; terms of " +
            log + ", windows of up to 1 MiB");
        machine.put("both", "clients yield when they have nothing to do; " + (options.apart() ?
            "each side's processes on a half of the processors of their own" : "processors as the kernel gives them") +
            "; phases of " + options.phaseMillis() +
            " ms in turn; medians, and quartiles in brackets");
    }

    void add(final Scenario scenario, final String metric, final double value)
    {
        values.computeIfAbsent(new Cell(scenario.bench(), scenario.size(), metric), key -> new LinkedHashMap<>())
            .computeIfAbsent(scenario.peer(), key -> new ArrayList<>()).add(value);
    }

    private List<Line> lines()
    {
        final List<Line> lines = new ArrayList<>();
        values.forEach((cell, peers) ->
        {
            final List<Double> own = peers.get(OURS);
            if (own != null)
            {
                peers.forEach((peer, all) ->
                {
                    if (!peer.equals(OURS) || peers.size() == 1)
                    {
                        lines.add(line(cell, peer, own, all));
                    }
                });
            }
        });
        return lines;
    }

    private static Line line(final Cell cell, final String peer, final List<Double> own, final List<Double> others)
    {
        final Summary ours = Summary.of(own);
        final Summary theirs = Summary.of(others);
        final boolean alone = peer.equals(OURS);
        return new Line(cell.bench, cell.size, alone ? "none" : peer, cell.metric, Math.min(ours.n(), theirs.n()),
            ours.median(), ours.low(), ours.high(), alone ? null : theirs.median(), alone ? null : theirs.low(),
            alone ? null : theirs.high(), alone ? null : ours.median() / theirs.median(), List.copyOf(own),
            alone ? List.of() : List.copyOf(others));
    }

    /** Prints all lines for people. */
    public void print(final PrintWriter out)
    {
        machine.forEach((name, value) -> out.printf("%-13s %s%n", name, value));
        out.println();
        out.printf(FORMAT, "bench", "size", "peer", "metric", "gannet", "peer", "ratio", "n");
        for (final Line line : lines())
        {
            out.printf(FORMAT, line.bench, line.size, line.peer, metric(line.metric),
                value(line.metric, line.gannet, line.gannetLow, line.gannetHigh),
                line.peerValue == null ? "-" : value(line.metric, line.peerValue, line.peerLow, line.peerHigh),
                line.ratio == null ? "-" : String.format(Locale.ROOT, "%.2f", line.ratio), line.n);
        }
        out.flush();
    }

    private static String metric(final String name)
    {
        return name.equals(Row.RATE) ? "M/s" : name.startsWith(PROCESSOR) ?
            "processor ns/message" + name.substring(PROCESSOR.length()) : name.replace("Nanos", " ns");
    }

    private static String value(final String metric, final double median, final double low, final double high)
    {
        return metric.equals(Row.RATE) ?
            String.format(Locale.ROOT, "%.3f (%.3f..%.3f)", median / 1e6, low / 1e6, high / 1e6) :
            String.format(Locale.ROOT, "%.0f (%.0f..%.0f)", median, low, high);
    }

    /** Machine and lines for machines. */
    public String json()
    {
        return new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create()
            .toJson(Map.of("machine", machine, "rows", lines())) + "\n";
    }
}
