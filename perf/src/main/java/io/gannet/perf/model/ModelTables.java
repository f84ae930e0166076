package io.gannet.perf.model;

import static io.gannet.perf.chart.MarkdownTables.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The model's tables, in Markdown, by name.
 */
public final class ModelTables
{
    private static final int[] PAYLOADS = {32, 96, 256, 512, 1024, 4096, 65_520};
    private static final int MESSAGES = 8_000;
    private static final double MILLION = 1e6;

    private final Hardware hardware;

    private ModelTables(final Hardware hardware)
    {
        this.hardware = hardware;
    }

    /** All tables over the given hardware, in the order of the document. */
    public static Map<String, String> all(final Hardware hardware)
    {
        final ModelTables tables = new ModelTables(hardware);
        final Map<String, String> all = new LinkedHashMap<>();
        all.put("stages", tables.stages());
        all.put("sizes", tables.sizes());
        all.put("bottlenecks", tables.bottlenecks());
        all.put("intervals", tables.intervals());
        all.put("depths", tables.depths());
        all.put("chains", tables.chains());
        all.put("load", tables.load());
        all.put("published", published());
        all.put("sensitivity", tables.sensitivity());
        all.put("parameters", tables.parameters());
        return all;
    }

    private String stages()
    {
        final ClosedForm form = new ClosedForm(hardware);
        final List<Map<String, Double>> columns =
            List.of(form.oneWay(128, true), form.oneWay(128, false), form.oneWay(1056, false));
        final List<String[]> rows = new ArrayList<>();
        for (final String stage : columns.getFirst().keySet())
        {
            rows.add(new String[] {stage, nanos(columns.get(0).get(stage)), nanos(columns.get(1).get(stage)),
                nanos(columns.get(2).get(stage))});
        }
        rows.add(new String[] {"**in all, ns**", nanos(form.oneWayNanos(128, true)),
            nanos(form.oneWayNanos(128, false)), nanos(form.oneWayNanos(1056, false))});
        return table("stage", "96 B message, inline and BlueFlame; payload and request read; 1 KiB message, read"
            .split("; "), rows);
    }

    private String sizes()
    {
        final List<String[]> rows = new ArrayList<>();
        for (final int payload : PAYLOADS)
        {
            final int bytes = Workload.frame(payload);
            final List<String> row = new ArrayList<>(List.of(payload + " (" + bytes + ")"));
            for (final PcieGeneration generation : PcieGeneration.values())
            {
                final ClosedForm form = new ClosedForm(generation.applyTo(hardware));
                row.add(micros(form.oneWayNanos(bytes, false)));
                row.add(bytes <= 988 ? micros(form.oneWayNanos(bytes, true)) : "-");
                row.add(micros(form.oneWayNanos(bytes, ClosedForm.inlines(Workload.saturated(bytes, 1)))));
            }
            rows.add(row.toArray(String[]::new));
        }
        return table("payload (in the ring), B", ("PCIe 3 read; inline; policy; PCIe 4 read; inline; policy; " +
            "PCIe 5 read; inline; policy").split("; "), rows);
    }

    private String bottlenecks()
    {
        final ClosedForm form = new ClosedForm(hardware);
        final Map<String, Map<String, Double>> columns = new LinkedHashMap<>();
        columns.put("96 B, one a WRITE and post", form.bounds(128, true, 1, 32));
        columns.put("96 B, chains of 16", form.bounds(128, true, 16, 32));
        columns.put("64 KiB merged, one a post", form.bounds(65_536, false, 1, 32));
        final List<String[]> rows = new ArrayList<>();
        for (final String part : columns.values().iterator().next().keySet())
        {
            rows.add(columns.values().stream().map(bounds -> nanos(bounds.get(part))).toArray(String[]::new));
            final String[] row = new String[columns.size() + 1];
            row[0] = part;
            System.arraycopy(rows.removeLast(), 0, row, 1, columns.size());
            rows.add(row);
        }
        rows.add(new String[] {"**WRITEs, M/s**",
            millions(form.mostPerSecond(128, true, 1, 32)), millions(form.mostPerSecond(128, true, 16, 32)),
            millions(form.mostPerSecond(65_536, false, 1, 32))});
        rows.add(new String[] {"**messages of 96 B, M/s**",
            millions(form.mostPerSecond(128, true, 1, 32)), millions(form.mostPerSecond(128, true, 16, 32)),
            millions(512 / Math.max(1 / form.mostPerSecond(65_536, false, 1, 32),
                512 * hardware.get(Parameter.SCAN) / 1e9))});
        return table("ns for a WRITE", columns.keySet().toArray(String[]::new), rows);
    }

    private String intervals()
    {
        final List<String[]> rows = new ArrayList<>();
        for (final int interval : new int[] {1, 8, 16, 32, Workload.ADAPTIVE})
        {
            final Outcome single = run(Workload.saturated(128, MESSAGES).queue(256, interval));
            final Outcome chained = run(Workload.saturated(128, MESSAGES).posting(16, 0).queue(256, interval));
            rows.add(new String[] {intervalName(interval), nanos(single.senderNanos()),
                millions(single.perSecond()), nanos(chained.senderNanos()), millions(chained.perSecond()),
                nanos((double) chained.requests() / chained.signaled())});
        }
        return table("signaled every", ("one a post: ns a message; M/s; chains of 16: ns a message; M/s; " +
            "WRITEs for a completion").split("; "), rows);
    }

    private String depths()
    {
        final List<String[]> rows = new ArrayList<>();
        for (final int depth : new int[] {16, 32, 64, 128, 256, 1024})
        {
            final List<String> row = new ArrayList<>(List.of(Integer.toString(depth)));
            for (final int interval : new int[] {1, 8, 16, 32, Workload.ADAPTIVE})
            {
                final Outcome outcome = run(Workload.saturated(128, MESSAGES / 4).posting(16, 0)
                    .queue(depth, interval));
                row.add(millions(outcome.perSecond()) +
                    (outcome.fullNanos() > outcome.elapsed() / 2 ? " (waits)" : ""));
            }
            rows.add(row.toArray(String[]::new));
        }
        return table("send queue", "every; 8th; 16th; 32nd; adaptive".split("; "), rows);
    }

    private String chains()
    {
        final List<String[]> rows = new ArrayList<>();
        for (final int chain : new int[] {1, 2, 4, 8, 16})
        {
            final Outcome saturated = run(Workload.saturated(128, MESSAGES).posting(chain, 0));
            final Outcome paced = run(Workload.saturated(128, MESSAGES).posting(chain, 0).at(4 * MILLION));
            rows.add(new String[] {Integer.toString(chain), nanos(saturated.senderNanos()),
                millions(saturated.perSecond()), micros(paced.latency(0.5)), micros(paced.latency(0.99)),
                share(paced.blueFlames(), paced.doorbells())});
        }
        final Outcome saturated = run(Workload.saturated(128, MESSAGES * 10).posting(16, 65_536));
        final Outcome paced = run(Workload.saturated(128, MESSAGES).posting(16, 65_536).at(4 * MILLION));
        rows.add(new String[] {"16, merged", nanos(saturated.senderNanos()), millions(saturated.perSecond()),
            micros(paced.latency(0.5)), micros(paced.latency(0.99)), share(paced.blueFlames(), paced.doorbells())});
        return table("chain at most", ("saturated: ns a message; M/s; at 4 M/s: p50 us; p99 us; " +
            "posts by BlueFlame").split("; "), rows);
    }

    private String load()
    {
        final List<String[]> rows = new ArrayList<>();
        for (final double rate : new double[] {0.1, 1, 2, 4, 6, 8, 12, 16, 32, 64})
        {
            final Outcome single = run(Workload.saturated(128, MESSAGES).at(rate * MILLION));
            final Outcome chained = run(Workload.saturated(128, MESSAGES).posting(16, 0).at(rate * MILLION));
            final Outcome merged = run(Workload.saturated(128, MESSAGES).posting(16, 65_536).at(rate * MILLION));
            rows.add(new String[] {String.format(Locale.ROOT, "%.1f", rate), latencies(single, rate),
                latencies(chained, rate), latencies(merged, rate),
                nanos((double) merged.messages() / merged.requests()), nanos(merged.senderNanos())});
        }
        return table("offered, M/s", ("one a post: p50 / p99 us; chains of 16; merged, as the engine does; " +
            "messages in a WRITE; ns a message").split("; "), rows);
    }

    private static String latencies(final Outcome outcome, final double rate)
    {
        return outcome.perSecond() < rate * MILLION * 0.97 ? "can't: " + millions(outcome.perSecond()) + " M/s" :
            micros(outcome.latency(0.5)) + " / " + micros(outcome.latency(0.99));
    }

    private static String published()
    {
        final List<String[]> rows = new ArrayList<>();
        for (final Comparison.Figure figure : Comparison.all())
        {
            rows.add(new String[] {figure.what(), figure.source(), figure.published(), figure.model(),
                figure.verdict() == Comparison.Verdict.AGREES ? "agrees" : "**" + figure.verdict().label() + "**",
                figure.reason()});
        }
        return table("figure", "source; published; model; verdict; remark".split("; "), rows);
    }

    private String sensitivity()
    {
        final Map<Double, String[]> rows = new TreeMap<>();
        for (final Parameter parameter : Parameter.values())
        {
            final double[] inline = new double[2];
            final double[] read = new double[2];
            final double[] sender = new double[2];
            for (int i = 0; i < 2; i++)
            {
                final ClosedForm form =
                    new ClosedForm(hardware.with(parameter, i == 0 ? parameter.low() : parameter.high()));
                inline[i] = form.oneWayNanos(128, true);
                read[i] = form.oneWayNanos(128, false);
                sender[i] = form.senderNanos(128, true, 1, 32);
            }
            final double spread = Math.abs(inline[1] - inline[0]) + Math.abs(read[1] - read[0]) +
                Math.abs(sender[1] - sender[0]);
            if (spread > 1)
            {
                rows.put(-spread - rows.size() * 1e-6, new String[] {parameter.label(),
                    range(inline), range(read), range(sender)});
            }
        }
        return table("parameter from low to high", ("96 B one way, inline, us; read, us; " +
            "sender's ns a message").split("; "), new ArrayList<>(rows.values()));
    }

    private static String range(final double[] ends)
    {
        return Math.abs(ends[1] - ends[0]) < 0.5 ? "" : ends[0] < 400 && ends[1] < 400 ?
            nanos(ends[0]) + " .. " + nanos(ends[1]) : micros(ends[0]) + " .. " + micros(ends[1]);
    }

    private String parameters()
    {
        final List<String[]> rows = new ArrayList<>();
        for (final Parameter parameter : Parameter.values())
        {
            rows.add(new String[] {"`" + parameter.label() + "`", plain(hardware.get(parameter)),
                plain(parameter.low()) + " .. " + plain(parameter.high()), parameter.unit(),
                parameter.basis().label(), parameter.source()});
        }
        return table("parameter", "value; range; unit; basis; source".split("; "), rows);
    }

    private Outcome run(final Workload workload)
    {
        return WriteSimulation.run(hardware, workload);
    }

    private static String intervalName(final int interval)
    {
        return switch (interval)
        {
            case Workload.ADAPTIVE -> "adaptive (`SignalPolicy`)";
            case 1 -> "WRITE";
            case 32 -> "32nd";
            default -> interval + "th";
        };
    }

    private static String nanos(final double value)
    {
        return value == 0 ? "" : String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value);
    }

    private static String micros(final double nanos)
    {
        return String.format(Locale.ROOT, "%.2f", nanos / 1000);
    }

    private static String millions(final double perSecond)
    {
        return String.format(Locale.ROOT, perSecond < 9.95e6 ? "%.2f" : "%.1f", perSecond / MILLION);
    }

    private static String plain(final double value)
    {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String share(final long part, final long whole)
    {
        return Math.round(100.0 * part / whole) + " %";
    }
}
