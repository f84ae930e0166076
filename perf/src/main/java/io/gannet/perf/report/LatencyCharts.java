package io.gannet.perf.report;

import io.gannet.perf.chart.Axis;
import io.gannet.perf.chart.Chart;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies of several peers in one cell: by percentile, and how often each.
 */
final class LatencyCharts
{
    private static final int BINS_PER_DECADE = 12;
    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 99.99, 99.999};

    private LatencyCharts()
    {
    }

    /** Latency over percentile; the percentiles' axis stretches towards 100, a decade for each nine. */
    static String percentiles(final Map<String, Histogram> byPeer, final String label)
    {
        final Chart chart = new Chart(label + ", percentiles");
        final Axis y = latencyAxis(byPeer, Chart.BOTTOM, Chart.TOP);
        final Axis x = new Axis(1, 1e5, Chart.LEFT, Chart.RIGHT, true);
        chart.horizontalGrid(y, Axis::time);
        for (final double percentile : PERCENTILES)
        {
            chart.verticalTick(x.pixel(nines(percentile)), Axis.trim(percentile).length() > 5 ? "99.999" :
                percentile > 99.9 ? percentile + "" : Axis.trim(percentile));
        }
        chart.axisTitle("percentile");
        byPeer.forEach((peer, histogram) ->
        {
            final StringBuilder points = new StringBuilder();
            for (final HistogramIterationValue value : histogram.percentiles(10))
            {
                if (value.getPercentileLevelIteratedTo() < 99.9995)
                {
                    points.append(Chart.point(x.pixel(nines(value.getPercentileLevelIteratedTo())),
                        y.pixel((double) value.getValueIteratedTo())));
                }
            }
            chart.polyline("curve " + peer, points);
        });
        return chart.end();
    }

    /** Share of messages by latency, in bins of equal width on the logarithmic axis. */
    static String histogram(final Map<String, Histogram> byPeer, final String label)
    {
        final Chart chart = new Chart(label + ", histogram");
        final Axis x = latencyAxis(byPeer, Chart.LEFT, Chart.RIGHT);
        final double low = Math.pow(10, Math.floor(Math.log10(lowest(byPeer))));
        final double high = highest(byPeer);
        final int bins = (int) Math.ceil(Math.log10(high / low) * BINS_PER_DECADE) + 1;
        double most = 0;
        for (final Histogram histogram : byPeer.values())
        {
            for (final double share : shares(histogram, low, bins))
            {
                most = Math.max(most, share);
            }
        }
        final Axis y = new Axis(0, most * 1.05, Chart.BOTTOM, Chart.TOP, false);
        chart.horizontalGrid(y, share -> Axis.trim(share * 100) + " %");
        for (final double tick : x.ticks())
        {
            chart.verticalTick(x.pixel(tick), Axis.time(tick));
        }
        chart.axisTitle("latency; share of messages");
        byPeer.forEach((peer, histogram) ->
        {
            final StringBuilder points = new StringBuilder();
            final double[] shares = shares(histogram, low, bins);
            for (int i = 0; i < bins; i++)
            {
                final double height = y.pixel(shares[i]);
                points.append(Chart.point(x.pixel(low * Math.pow(10, (double) i / BINS_PER_DECADE)), height));
                points.append(Chart.point(x.pixel(low * Math.pow(10, (i + 1.0) / BINS_PER_DECADE)), height));
            }
            chart.polyline("curve " + peer, points);
        });
        return chart.end();
    }

    private static double[] shares(final Histogram histogram, final double low, final int bins)
    {
        final double[] shares = new double[bins];
        for (final HistogramIterationValue value : histogram.recordedValues())
        {
            final double decades = Math.log10(Math.max(value.getValueIteratedTo(), 1) / low);
            final int bin = Math.min(Math.max((int) (decades * BINS_PER_DECADE), 0), bins - 1);
            shares[bin] += value.getCountAtValueIteratedTo() / (double) histogram.getTotalCount();
        }
        return shares;
    }

    private static Axis latencyAxis(final Map<String, Histogram> byPeer, final double from, final double to)
    {
        return new Axis(Math.pow(10, Math.floor(Math.log10(lowest(byPeer)))), highest(byPeer), from, to, true);
    }

    private static double lowest(final Map<String, Histogram> byPeer)
    {
        return byPeer.values().stream().mapToDouble(h -> Math.max(1, h.getMinNonZeroValue())).min().orElse(1);
    }

    private static double highest(final Map<String, Histogram> byPeer)
    {
        return byPeer.values().stream().mapToDouble(h -> h.getValueAtPercentile(99.999) * 1.2).max().orElse(10);
    }

    private static double nines(final double percentile)
    {
        return 100 / (100 - percentile);
    }
}
