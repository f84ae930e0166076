package io.gannet.perf.report;

import io.gannet.perf.chart.Axis;
import io.gannet.perf.chart.Html;
import io.gannet.perf.rig.Bars;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.RunFile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * A run of the order flow as one self-contained HTML page.
 */
public final class OrdersPage
{
    private OrdersPage()
    {
    }

    /**
     * The page.
     *
     * @param histograms latencies by what and peer.
     */
    public static String of(final RunFile run, final Map<String, Map<String, Histogram>> histograms)
    {
        final StringBuilder html = new StringBuilder(1 << 16);
        html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
            .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
            .append("<title>Gannet: order flow</title><style>").append(Style.css())
            .append("</style></head><body><main>\n<h1>Order flow, side by side</h1>\n<p class=\"lead\">")
            .append(Html.escape(run.machine().getOrDefault("date", "") + " on " +
                run.machine().getOrDefault("processor", "unknown"))).append("</p>\n<p class=\"legend\">")
            .append("<span><i class=\"key gannet\"></i>gannet</span><span><i class=\"key aeron\"></i>aeron</span></p>")
            .append("<section><h2>Medians</h2><p>Latencies from the intended time of each request at the set rate; ")
            .append("rate: answers per second with a fixed number in flight, rate10 with 10, rate100 with 100.</p>")
            .append("<div class=\"wide\"><table><thead>")
            .append("<tr><th>metric</th>");
        for (final String column : List.of("gannet", "aeron", "ratio", "rounds"))
        {
            html.append("<th class=\"r\">").append(column).append("</th>");
        }
        html.append("</tr></thead><tbody>");
        for (final Row row : run.rows())
        {
            html.append("<tr><td>").append(Html.escape(row.metric())).append("</td><td class=\"r\">")
                .append(value(row.metric(), row.gannet())).append("</td><td class=\"r\">")
                .append(value(row.metric(), row.peerValue())).append("</td><td class=\"r\">")
                .append(row.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", row.ratio()))
                .append("</td><td class=\"r\">").append(row.n())
                .append("</td></tr>");
        }
        html.append("</tbody></table></div>");
        bars(html, run);
        html.append("</section>\n<section><h2>Latencies</h2>");
        histograms.forEach((name, byPeer) -> html.append("<h3>").append(Html.escape(name))
            .append("</h3><div class=\"pair\">").append(LatencyCharts.percentiles(byPeer, name))
            .append(LatencyCharts.histogram(byPeer, name)).append("</div>"));
        html.append("</section>\n");
        facts(html, "Configuration", run.configuration());
        facts(html, "Machine", run.machine());
        return html.append("</main></body></html>\n").toString();
    }

    private static void bars(final StringBuilder html, final RunFile run)
    {
        html.append("<ul>");
        for (final Bars.Bar bar : run.bars())
        {
            html.append("<li>").append(Html.escape(bar.metric() + ", " + bar.condition() + " of aeron's: "))
                .append("<span class=\"").append(bar.verdict() == Bars.Verdict.PASS ? "pass" :
                    bar.verdict() == Bars.Verdict.FAIL ? "fail" : "dim").append("\">")
                .append(bar.verdict().label()).append("</span></li>");
        }
        html.append("</ul>");
    }

    private static String value(final String metric, final Double value)
    {
        return value == null || !Double.isFinite(value) ? "<span class=\"dim\">not seen</span>" :
            metric.startsWith("rate") ? Axis.trim(value / 1000) + " k/s" : metric.equals("bytesPerOrder") ?
            Axis.trim(value) + " B" : Axis.time(value);
    }

    private static void facts(final StringBuilder html, final String title, final Map<String, String> facts)
    {
        html.append("<section><h2>").append(title).append("</h2><table class=\"facts\">");
        facts.forEach((name, value) -> html.append("<tr><th>").append(Html.escape(name)).append("</th><td>")
            .append(Html.escape(value)).append("</td></tr>"));
        html.append("</table></section>\n");
    }
}
