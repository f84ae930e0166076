package io.gannet.perf.model;

import io.gannet.perf.chart.Axis;
import io.gannet.perf.chart.LinePlot;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/**
 * The model's plots, as SVG, by file name.
 */
public final class ModelPlots
{
    private static final int[] SIZES = {32, 64, 92, 93, 128, 156, 157, 220, 221, 256, 384, 512, 768, 984};
    private static final int[] ALL_SIZES =
        {32, 64, 128, 220, 221, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536};
    private static final int MESSAGES = 6_000;
    private static final double MILLION = 1e6;

    private final Hardware hardware;

    private ModelPlots(final Hardware hardware)
    {
        this.hardware = hardware;
    }

    /** All plots over the given hardware. */
    public static Map<String, String> all(final Hardware hardware)
    {
        final ModelPlots plots = new ModelPlots(hardware);
        final Map<String, String> all = new LinkedHashMap<>();
        all.put("inline.svg", plots.inline());
        all.put("pcie.svg", plots.pcie());
        all.put("depth.svg", plots.depth());
        all.put("load.svg", plots.load());
        all.put("published.svg", plots.published());
        return all;
    }

    private String inline()
    {
        final ClosedForm form = new ClosedForm(hardware);
        return new LinePlot("One WRITE alone, one way, ns", "bytes of the WRITE", true, false, Axis::trim, Axis::trim)
            .curve("request and payload read by the NIC", doubles(SIZES),
                map(SIZES, bytes -> form.oneWayNanos(bytes, false)))
            .curve("inline, BlueFlame up to 220 B", doubles(SIZES), map(SIZES, bytes -> form.oneWayNanos(bytes, true)))
            .svg();
    }

    private String pcie()
    {
        final LinePlot plot = new LinePlot("One WRITE alone, one way, InlinePolicy decides, ns", "bytes of the WRITE",
            true, true, Axis::trim, Axis::trim);
        for (final PcieGeneration generation : PcieGeneration.values())
        {
            final ClosedForm form = new ClosedForm(generation.applyTo(hardware));
            plot.curve(generation.label() + ", 100 Gbit/s", doubles(ALL_SIZES), map(ALL_SIZES, bytes ->
                form.oneWayNanos(bytes, ClosedForm.inlines(Workload.saturated(bytes, 1)))));
        }
        return plot.svg();
    }

    private String depth()
    {
        final int[] depths = {16, 32, 64, 128, 256, 512, 1024};
        final LinePlot plot = new LinePlot("WRITEs of 128 B in chains of 16, M/s", "slots of the send queue", true,
            false, Axis::trim, Axis::trim);
        for (final int interval : new int[] {1, 8, 16, 32, Workload.ADAPTIVE})
        {
            plot.curve(interval == Workload.ADAPTIVE ? "SignalPolicy" : "signaled every " + interval, doubles(depths),
                map(depths, slots -> WriteSimulation.run(hardware, Workload.saturated(128, MESSAGES / 2)
                    .posting(16, 0).queue(slots, interval)).perSecond() / MILLION));
        }
        return plot.svg();
    }

    private String load()
    {
        final double[] rates = {0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 24, 32, 64};
        final LinePlot plot = new LinePlot("Latency of 96 B messages at random arrivals, us", "offered, M/s", true,
            true, Axis::trim, Axis::trim);
        final int[][] postings = {{1, 0}, {16, 0}, {16, 65_536}};
        final String[] names = {"one a post", "chains of 16", "merged, as the engine does"};
        for (int i = 0; i < postings.length; i++)
        {
            final double[] middle = new double[rates.length];
            final double[] tail = new double[rates.length];
            for (int j = 0; j < rates.length; j++)
            {
                final Outcome outcome = WriteSimulation.run(hardware, Workload.saturated(128, MESSAGES)
                    .posting(postings[i][0], postings[i][1]).at(rates[j] * MILLION));
                final boolean keepsUp = outcome.perSecond() > rates[j] * MILLION * 0.97;
                middle[j] = keepsUp ? outcome.latency(0.5) / 1000 : Double.NaN;
                tail[j] = keepsUp ? outcome.latency(0.99) / 1000 : Double.NaN;
            }
            plot.curve(names[i] + ", p50", rates, middle).curve(names[i] + ", p99", rates, tail);
        }
        return plot.svg();
    }

    private String published()
    {
        final int[] sizes = {64, 128, 256, 512};
        final ClosedForm form = new ClosedForm(hardware);
        return new LinePlot("Until the sender's completion, us: published for ConnectX-5 and model",
            "bytes of the WRITE", true, false, Axis::trim, Axis::trim)
            .curve("model, read", doubles(sizes), map(sizes, bytes -> form.sendCompletionNanos(bytes, false) / 1000))
            .curve("model, inline", doubles(sizes), map(sizes, bytes -> form.sendCompletionNanos(bytes, true) / 1000))
            .points("published, read", doubles(sizes), new double[] {1.8, 2.1, 2.5, 3.1})
            .points("published, inline", doubles(sizes), new double[] {1.2, 1.4, 2.3, 3.0})
            .svg();
    }

    private static double[] doubles(final int[] values)
    {
        return Arrays.stream(values).asDoubleStream().toArray();
    }

    private static double[] map(final int[] values, final IntToDoubleFunction function)
    {
        return Arrays.stream(values).mapToDouble(function).toArray();
    }
}
