package io.gannet.perf.report;

import io.gannet.perf.chart.Axis;
import io.gannet.perf.chart.Html;
import io.gannet.perf.rig.Bars;
import io.gannet.perf.rig.Placement;
import io.gannet.perf.rig.Results;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.RunFile;
import io.gannet.perf.rig.RunRecord;
import io.gannet.perf.rig.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * A run as one self-contained HTML page.
 */
public final class HtmlReport
{
    private static final List<String> PEERS = List.of("gannet", "aeron", "disruptor", "agrona");

    private final RunRecord run;
    private final List<RunFile> earlier;
    private final StringBuilder html = new StringBuilder(1 << 16);

    private HtmlReport(final RunRecord run, final List<RunFile> earlier)
    {
        this.run = run;
        this.earlier = earlier;
    }

    /**
     * The page.
     *
     * @param earlier runs to compare with, oldest first.
     */
    public static String of(final RunRecord run, final List<RunFile> earlier)
    {
        final HtmlReport report = new HtmlReport(run, earlier);
        report.page();
        return report.html.toString();
    }

    private void page()
    {
        html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
            .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
            .append("<title>Gannet: side by side</title><style>").append(Style.css())
            .append("</style></head><body><main>\n<h1>Gannet, side by side</h1>\n<p class=\"lead\">")
            .append(Html.escape(run.machine().getOrDefault("date", "") + " on " +
                run.machine().getOrDefault("processor", "unknown"))).append("</p>\n");
        legend();
        bars();
        ratios();
        Placement.ofResults(run.results()).forEach(this::rows);
        latencies();
        timelines();
        interruptions();
        comparison();
        facts("Configuration", run.configuration());
        facts("Machine", run.machine());
        html.append("</main></body></html>\n");
    }

    private void legend()
    {
        html.append("<p class=\"legend\">");
        for (final String peer : PEERS)
        {
            if (run.results().samples().stream().anyMatch(sample -> sample.scenario().peer().equals(peer)))
            {
                html.append("<span><i class=\"key ").append(peer).append("\"></i>").append(peer).append("</span>");
            }
        }
        html.append("</p>\n");
    }

    private void bars()
    {
        final List<Bars.Bar> bars = Bars.of(run.results().rows());
        if (bars.isEmpty())
        {
            return;
        }
        html.append("<section><h2>Bars</h2><p>What Gannet has to reach beside Aeron: same run, same start, medians.")
            .append("</p><div class=\"wide\"><table><thead><tr><th></th><th>benchmark</th><th class=\"r\">size</th>")
            .append("<th>where</th><th>start</th><th>metric</th><th class=\"r\">bar</th>")
            .append("<th class=\"r\">ratio</th><th class=\"r\">n</th></tr></thead>")
            .append("<tbody>");
        for (final Bars.Bar bar : bars)
        {
            html.append("<tr><td class=\"").append(style(bar.verdict())).append("\">")
                .append(bar.verdict().label()).append("</td><td>").append(Html.escape(bar.bench()))
                .append("</td><td class=\"r\">").append(bar.size()).append("</td><td>").append(bar.placement())
                .append("</td><td>").append(bar.start()).append("</td><td>").append(metric(bar.metric()))
                .append("</td><td class=\"r\">").append(Html.escape(bar.condition()))
                .append("</td><td class=\"r\">")
                .append(bar.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", bar.ratio()))
                .append("</td><td class=\"r\">").append(bar.n()).append("</td></tr>");
        }
        html.append("</tbody></table></div></section>\n");
    }

    private static String style(final Bars.Verdict verdict)
    {
        return switch (verdict)
        {
            case PASS -> "pass";
            case FAIL -> "fail";
            case NOT_SEEN -> "dim";
        };
    }

    private static String metric(final String name)
    {
        return name.equals(Row.RATE) ? "rate" : name.replace("Nanos", "");
    }

    private void ratios()
    {
        final List<Row> seen = run.results().rows().stream()
            .filter(row -> row.ratio() != null && !row.metric().equals("p99Nanos"))
            .filter(row -> row.metric().equals(Row.RATE) != row.bench().startsWith("paced"))
            .toList();
        if (seen.isEmpty())
        {
            return;
        }
        html.append("<section><h2>Ratios</h2><p>Bars right of the line are better for Gannet: ")
            .append("its rate over the peer's, or the peer's latency over its.</p><div class=\"bars\">");
        for (final Row row : seen)
        {
            final double better = row.metric().equals(Row.RATE) ? row.ratio() : 1 / row.ratio();
            // The bar's axis is the logarithm of the ratio, from an eighth to eight times.
            final double share = Math.max(-1, Math.min(1, Math.log(better) / Math.log(8)));
            html.append("<div class=\"bar\"><span>").append(Html.escape(row.bench())).append(", ").append(row.size())
                .append(" B, ").append(row.placement()).append(", ").append(row.start()).append(", ")
                .append(row.metric().equals(Row.RATE) ? "rate" : row.metric().replace("Nanos", "")).append(" / ")
                .append(Html.escape(row.peer())).append("</span><div class=\"track\"><div class=\"fill ")
                .append(better >= 1 ? "better" : "worse").append("\" style=\"")
                .append(String.format(Locale.ROOT, "left:%.1f%%;width:%.1f%%", share >= 0 ? 50 : 50 + share * 50,
                    Math.max(0.4, Math.abs(share) * 50)))
                .append("\"></div></div><b>").append(String.format(Locale.ROOT, "%.2fx", better)).append("</b></div>");
        }
        html.append("</div></section>\n");
    }

    private void rows(final Placement placement)
    {
        final List<Row> rows =
            run.results().rows().stream().filter(row -> row.placement().equals(placement.label())).toList();
        html.append("<section><h2>").append(placement == Placement.ANY ? "More threads than processors" :
            "Processors " + placement.label()).append("</h2>");
        if (rows.isEmpty())
        {
            html.append("<p>Not seen in this run.</p></section>\n");
            return;
        }
        html.append("<div class=\"wide\"><table><thead><tr><th>benchmark</th>")
            .append("<th class=\"r\">size</th><th>start</th><th>metric</th><th class=\"r\">gannet</th><th>peer</th>")
            .append("<th></th><th class=\"r\">gannet / peer</th><th class=\"r\">n</th></tr></thead><tbody>");
        for (final Row row : rows)
        {
            html.append("<tr><td>").append(Html.escape(row.bench())).append("</td><td class=\"r\">").append(row.size())
                .append("</td><td>").append(row.start()).append("</td><td>")
                .append(row.metric().equals(Row.RATE) ? "rate" : row.metric().replace("Nanos", ""))
                .append("</td><td class=\"r\">").append(value(row, row.gannet(), row.gannetLow(), row.gannetHigh()))
                .append("</td><td>").append(Html.escape(row.peer())).append("</td><td class=\"r\">")
                .append(value(row, row.peerValue(), row.peerLow(), row.peerHigh()))
                .append("</td><td class=\"r\">")
                .append(row.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", row.ratio()))
                .append("</td><td class=\"r\">").append(row.n()).append("</td></tr>");
        }
        html.append("</tbody></table></div></section>\n");
    }

    private static String value(final Row row, final Double median, final Double low, final Double high)
    {
        if (median == null)
        {
            return "<span class=\"dim\">not seen</span>";
        }
        final boolean rate = row.metric().equals(Row.RATE);
        return (rate ? Axis.trim(median / 1e6) + " M/s" : Axis.time(median)) + " <span class=\"dim\">" +
            (rate ? Axis.trim(low / 1e6) : Axis.time(low)) + " .. " +
            (rate ? Axis.trim(high / 1e6) : Axis.time(high)) + "</span>";
    }

    private void latencies()
    {
        final Map<String, Map<String, Histogram>> cells = new TreeMap<>();
        run.results().histograms().forEach((series, histogram) ->
        {
            final Results.Cell cell = series.cell();
            cells.computeIfAbsent(cell.bench() + ", " + cell.size() + " B, " + cell.placement().label(),
                key -> new TreeMap<>()).put(series.peer(), histogram);
        });
        if (cells.isEmpty())
        {
            return;
        }
        html.append("<section><h2>Latencies</h2><p>All counted phases together. Ping-pong: round trip; paced: one ")
            .append("way, from the intended time of sending.</p>");
        cells.forEach((name, byPeer) -> html.append("<h3>").append(Html.escape(name))
            .append("</h3><div class=\"pair\">").append(LatencyCharts.percentiles(byPeer, name))
            .append(LatencyCharts.histogram(byPeer, name)).append("</div>"));
        html.append("</section>\n");
    }

    private void timelines()
    {
        final Map<String, List<Sample>> benches = new LinkedHashMap<>();
        for (final Sample sample : run.results().samples())
        {
            benches.computeIfAbsent(sample.scenario().bench() + ", " + sample.scenario().size() + " B",
                key -> new ArrayList<>()).add(sample);
        }
        html.append("<section><h2>Timeline</h2><div class=\"grid2\">");
        benches.forEach((name, samples) ->
        {
            final String metric = name.startsWith("throughput") ? Row.RATE : "p50Nanos";
            html.append("<figure><figcaption>").append(Html.escape(name))
                .append(metric.equals(Row.RATE) ? ", rate" : ", p50").append("</figcaption>")
                .append(Timeline.of(samples, metric, name)).append("</figure>");
        });
        html.append("</div></section>\n");
    }

    private void interruptions()
    {
        html.append("<section><h2>Interruptions</h2><p>What took processor time from the latency phases, and so makes ")
            .append("their p99: means for a phase.</p><table><thead><tr><th>benchmark</th><th>peer</th>")
            .append("<th>context switches</th><th>pauses &gt; 10 us</th><th>pauses, us</th><th>stolen, ms</th></tr>")
            .append("</thead><tbody>");
        final Map<String, List<Sample>> groups = new LinkedHashMap<>();
        for (final Sample sample : run.results().samples())
        {
            if (sample.metrics().containsKey("p99Nanos"))
            {
                groups.computeIfAbsent(sample.scenario().bench() + ", " + sample.scenario().size() + " B</td><td>" +
                    sample.scenario().peer(), key -> new ArrayList<>()).add(sample);
            }
        }
        groups.forEach((name, samples) -> html.append("<tr><td>").append(name).append("</td>")
            .append(mean(samples, sample -> sample.interruptions().preempted()))
            .append(mean(samples, sample -> sample.interruptions().gaps()))
            .append(mean(samples, sample -> sample.interruptions().gapMicros()))
            .append(mean(samples, sample -> sample.interruptions().stolenMillis())).append("</tr>"));
        html.append("</tbody></table></section>\n");
    }

    private static String mean(final List<Sample> samples, final java.util.function.ToLongFunction<Sample> value)
    {
        return "<td class=\"r\">" + Axis.trim(samples.stream().mapToLong(value).average().orElse(0)) + "</td>";
    }

    private void comparison()
    {
        if (earlier.isEmpty())
        {
            return;
        }
        html.append("<section><h2>Against earlier runs</h2><p>Gannet over peer in each run; compare ratios, ")
            .append("not values: the machine's state differs.</p><div class=\"wide\"><table><thead><tr><th>row</th>");
        for (final RunFile file : earlier)
        {
            html.append("<th>").append(Html.escape(file.machine().getOrDefault("date", "?"))).append("</th>");
        }
        html.append("<th>this run</th></tr></thead><tbody>");
        final List<Map<String, Row>> byKey = new ArrayList<>();
        for (final RunFile file : earlier)
        {
            byKey.add(index(file.rows()));
        }
        index(run.results().rows()).forEach((key, row) ->
        {
            html.append("<tr><td>").append(Html.escape(key)).append("</td>");
            for (final Map<String, Row> old : byKey)
            {
                html.append(ratioCell(old.get(key)));
            }
            html.append(ratioCell(row)).append("</tr>");
        });
        html.append("</tbody></table></div></section>\n");
    }

    private static String ratioCell(final Row row)
    {
        return "<td class=\"r\">" + (row == null || row.ratio() == null ? "<span class=\"dim\">not seen</span>" :
            String.format(Locale.ROOT, "%.2f", row.ratio())) + "</td>";
    }

    private static Map<String, Row> index(final List<Row> rows)
    {
        final Map<String, Row> byKey = new LinkedHashMap<>();
        rows.forEach(row -> byKey.put(row.bench() + ", " + row.size() + " B, " + row.placement() + ", " + row.start() +
            ", " + row.metric() + " / " + row.peer(), row));
        return byKey;
    }

    private void facts(final String title, final Map<String, String> facts)
    {
        html.append("<section><h2>").append(title).append("</h2><table class=\"facts\">");
        facts.forEach((name, value) -> html.append("<tr><th>").append(Html.escape(name)).append("</th><td>")
            .append(Html.escape(value)).append("</td></tr>"));
        html.append("</table></section>\n");
    }
}
