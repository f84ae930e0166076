package io.gannet.perf.report;

import io.gannet.perf.chart.Axis;
import io.gannet.perf.chart.Chart;
import io.gannet.perf.rig.Placement;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.Sample;
import java.util.List;

/**
 * Every phase of one benchmark over the time of the run: shows placements that changed, states that a peer falls into,
 * and neighbours on the machine, none of which a median tells.
 */
final class Timeline
{
    private Timeline()
    {
    }

    static String of(final List<Sample> samples, final String metric, final String label)
    {
        final Chart chart = new Chart(label + ", timeline");
        final boolean rate = metric.equals(Row.RATE);
        double most = 0;
        long first = Long.MAX_VALUE;
        long last = 0;
        for (final Sample sample : samples)
        {
            most = Math.max(most, sample.metrics().getOrDefault(metric, 0.0));
            first = Math.min(first, sample.atMillis());
            last = Math.max(last, sample.atMillis());
        }
        final Axis x = new Axis(first / 1000.0, Math.max(last / 1000.0, first / 1000.0 + 1), Chart.LEFT, Chart.RIGHT,
            false);
        final Axis y = new Axis(0, most * 1.05, Chart.BOTTOM, Chart.TOP, false);
        chart.horizontalGrid(y, value -> rate ? Axis.trim(value / 1e6) + " M/s" : Axis.time(value));
        for (final double tick : x.ticks())
        {
            chart.verticalTick(x.pixel(tick), Axis.trim(tick) + " s");
        }
        chart.axisTitle("time since the start of the run; hollow: placement changed or unknown, not counted");
        for (final Sample sample : samples)
        {
            final Double value = sample.metrics().get(metric);
            if (value != null)
            {
                final String peer = sample.scenario().peer();
                final boolean counts = sample.placement().counts();
                chart.dot("dot " + peer + (counts ? sample.placement() == Placement.FAR ? " far" : "" : " hollow"),
                    x.pixel(sample.atMillis() / 1000.0), y.pixel(value), peer + " " + sample.start().label() + " " +
                    sample.placement().label() +
                    (sample.placement() == Placement.ANY ? ": " : " (" + sample.bounceNanos() + " ns): ") +
                    (rate ? Axis.trim(value / 1e6) + " M/s" : Axis.time(value)));
            }
        }
        return chart.end();
    }
}
