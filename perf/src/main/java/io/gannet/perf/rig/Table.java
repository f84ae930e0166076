package io.gannet.perf.rig;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The rows for people: one block for each placement.
 */
public final class Table
{
    private static final String FORMAT = "%-32s %6s %-8s %-20s %-6s %26s %26s %7s %4s%n";

    private static final String BARS = "%-8s  %-32s %6s %-5s %-8s %-6s  %-8s %6s %4s%n";

    private Table()
    {
    }

    /** Prints all rows. */
    public static void print(final RunRecord run, final PrintWriter out)
    {
        run.machine().forEach((name, value) -> out.printf("%-13s %s%n", name, value));
        out.println();
        run.configuration().forEach((name, value) -> out.printf("%-13s %s%n", name, value));
        for (final Placement placement : Placement.ofResults(run.results()))
        {
            final List<Row> rows = run.results().rows().stream()
                .filter(row -> row.placement().equals(placement.label())).toList();
            out.println();
            if (rows.isEmpty())
            {
                out.println(placement.label() + ": not seen");
                continue;
            }
            out.println(placement.label() + (placement == Placement.ANY ? " (more threads than processors)" :
                " (line round trip " + bounce(run, placement) + " ns)"));
            out.printf(FORMAT, "bench", "size", "start", "peer", "metric", "gannet", "peer", "ratio", "n");
            for (final Row row : rows)
            {
                out.printf(FORMAT, row.bench(), row.size(), row.start(), row.peer(), metric(row.metric()),
                    value(row, row.gannet(), row.gannetLow(), row.gannetHigh()),
                    value(row, row.peerValue(), row.peerLow(), row.peerHigh()),
                    row.ratio() == null ? "-" : String.format(Locale.ROOT, "%.2f", row.ratio()), row.n());
            }
        }
        interruptions(run, out);
        out.flush();
    }

    /** Prints the acceptance bars; returns whether none failed. */
    public static boolean printBars(final RunRecord run, final PrintWriter out)
    {
        final List<Bars.Bar> bars = Bars.of(run.results().rows());
        out.println();
        out.println("bars: Gannet's median over Aeron's");
        out.printf(BARS, "", "bench", "size", "where", "start", "metric", "bar", "ratio", "n");
        final Map<Bars.Verdict, Integer> count = new EnumMap<>(Bars.Verdict.class);
        for (final Bars.Bar bar : bars)
        {
            count.merge(bar.verdict(), 1, Integer::sum);
            out.printf(BARS, bar.verdict().label(), bar.bench(), bar.size(), bar.placement(), bar.start(),
                metric(bar.metric()), bar.condition(),
                bar.ratio() == null ? "-" : String.format(Locale.ROOT, "%.2f", bar.ratio()), bar.n());
        }
        out.printf("%d bars: %d pass, %d fail, %d not seen%n", bars.size(),
            count.getOrDefault(Bars.Verdict.PASS, 0), count.getOrDefault(Bars.Verdict.FAIL, 0),
            count.getOrDefault(Bars.Verdict.NOT_SEEN, 0));
        out.flush();
        return !count.containsKey(Bars.Verdict.FAIL);
    }

    private static void interruptions(final RunRecord run, final PrintWriter out)
    {
        record Sum(int phases, long preempted, long gaps, long gapMicros, long stolen)
        {
            Sum add(final Sample.Interruptions more)
            {
                return new Sum(phases + 1, preempted + more.preempted(), gaps + more.gaps(),
                    gapMicros + more.gapMicros(), stolen + more.stolenMillis());
            }
        }
        final Map<String, Sum> sums = new LinkedHashMap<>();
        int probed = 0;
        int moved = 0;
        int unknown = 0;
        for (final Sample sample : run.results().samples())
        {
            probed += sample.placement() == Placement.ANY ? 0 : 1;
            moved += sample.placement() == Placement.MOVED ? 1 : 0;
            unknown += sample.placement() == Placement.UNKNOWN ? 1 : 0;
            final String key = sample.scenario().bench() + " " + sample.scenario().peer();
            if (!sample.metrics().containsKey("p99Nanos"))
            {
                continue;
            }
            sums.merge(key, new Sum(0, 0, 0, 0, 0).add(sample.interruptions()),
                (sum, more) -> sum.add(sample.interruptions()));
        }
        out.println();
        out.println("what interrupts the latency phases (it makes their p99), in a phase on average:");
        sums.forEach((name, sum) -> out.printf(Locale.ROOT,
            "  %-36s %.1f involuntary context switches, %.1f pauses of the sender above 10 us (%.0f us in all), " +
            "%.1f ms stolen by the hypervisor%n", name, sum.preempted() / (double) sum.phases(),
            sum.gaps() / (double) sum.phases(), sum.gapMicros() / (double) sum.phases(),
            sum.stolen() / (double) sum.phases()));
        if (moved + unknown > 0)
        {
            out.printf("dropped: of %d probed phases %d in which the placement changed, %d in which the probe got no " +
                "answer%n", probed, moved, unknown);
        }
        if (2 * (moved + unknown) > probed)
        {
            out.println("most probed phases count for nothing, as other work had the processors: measure on a " +
                "machine that is idle, or with --real-time");
        }
    }

    private static String bounce(final RunRecord run, final Placement placement)
    {
        final List<Double> bounces = new ArrayList<>();
        for (final Sample sample : run.results().samples())
        {
            if (sample.placement() == placement)
            {
                bounces.add((double) sample.bounceNanos());
            }
        }
        return String.format(Locale.ROOT, "%.0f", Summary.of(bounces).median());
    }

    private static String metric(final String name)
    {
        return name.equals(Row.RATE) ? "M/s" : name.replace("Nanos", " ns");
    }

    private static String value(final Row row, final Double median, final Double low, final Double high)
    {
        if (median == null)
        {
            return "not seen";
        }
        return row.metric().equals(Row.RATE) ?
            String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", median / 1e6, low / 1e6, high / 1e6) :
            String.format(Locale.ROOT, "%.0f (%.0f..%.0f)", median, low, high);
    }
}
