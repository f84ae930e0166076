package io.gannet.perf.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Published figures beside the model's. A verdict is computed: {@link Verdict#AGREES} within {@value #CLOSE_PERCENT} %
 * of the model, {@link Verdict#IMPOSSIBLE} where a bound is broken that no choice of the parameters' ranges mends.
 */
public final class Comparison
{
    /** How far a figure may be from the model's to agree. */
    public static final int CLOSE_PERCENT = 20;

    private static final String FIELD = "field article, ConnectX-5";
    private static final double MICRO = 1000;

    private final Hardware hardware;
    private final ClosedForm model;
    private final List<Figure> figures = new ArrayList<>();

    /** What a figure is worth. */
    public enum Verdict
    {
        /** Close to the model. */
        AGREES("agrees"),
        /** Possible, but not what the model says. */
        DIFFERS("differs"),
        /** Can't be right, or not of what it is said to be. */
        IMPOSSIBLE("can't be right");

        private final String label;

        Verdict(final String label)
        {
            this.label = label;
        }

        /** Words for tables. */
        public String label()
        {
            return label;
        }
    }

    /**
     * One published figure.
     *
     * @param what      it is of.
     * @param source    where it stands.
     * @param published as text, with unit.
     * @param model     what the model says, with unit.
     * @param verdict   computed.
     * @param reason    why they differ.
     */
    public record Figure(String what, String source, String published, String model, Verdict verdict, String reason)
    {
    }

    private Comparison(final Hardware hardware)
    {
        this.hardware = hardware;
        model = new ClosedForm(hardware);
    }

    /** All figures, against PCIe 3, 100 Gbit/s and one switch. */
    public static List<Figure> all()
    {
        final Comparison comparison = new Comparison(Hardware.defaults());
        comparison.inlineTable();
        comparison.otherLatencies();
        comparison.pcie();
        comparison.completions();
        comparison.rates();
        return List.copyOf(comparison.figures);
    }

    private void inlineTable()
    {
        final int[] sizes = {64, 128, 256, 512};
        final double[] read = {1.8, 2.1, 2.5, 3.1};
        final double[] inlined = {1.2, 1.4, 2.3, 3.0};
        for (int i = 0; i < sizes.length; i++)
        {
            micros(sizes[i] + " B, payload read by the NIC", FIELD, read[i],
                model.sendCompletionNanos(sizes[i], false), i < 2 ? "" : "grows faster than any bus, see the slope");
        }
        for (int i = 0; i < sizes.length; i++)
        {
            micros(sizes[i] + " B, inline", FIELD, inlined[i], model.sendCompletionNanos(sizes[i], true),
                i < 2 ? "" : "the request no longer fits BlueFlame; the rest as before");
        }
        for (int i = 0; i < sizes.length; i++)
        {
            micros(sizes[i] + " B, gain of inline", FIELD, read[i] - inlined[i],
                model.sendCompletionNanos(sizes[i], false) - model.sendCompletionNanos(sizes[i], true),
                i < 2 ? "both DMA reads saved" : "one DMA read saved, and a larger request fetched");
        }
        slope(sizes, read);
    }

    /** Nanoseconds that each further byte costs, against the slowest hardware that the parameters allow. */
    private void slope(final int[] sizes, final double[] micros)
    {
        final int last = sizes.length - 1;
        final double published = (micros[last] - micros[0]) * MICRO / (sizes[last] - sizes[0]);
        final Hardware slowest = hardware.with(Parameter.PCIE_BYTES, Parameter.PCIE_BYTES.low())
            .with(Parameter.WIRE_BYTES, Parameter.WIRE_BYTES.low());
        final double most = perByte(new ClosedForm(slowest), sizes[0], sizes[last]);
        add("64 to 512 B, each further byte", FIELD, published, perByte(model, sizes[0], sizes[last]), "ns",
            published > 2 * most, String.format(Locale.ROOT, "25 Gbit/s and 8 lanes would cost %.2f ns; at %.1f ns a " +
            "byte 64 KiB would take %.0f us, and the same cards fill 100 Gbit/s", most, published,
            published * 65_536 / MICRO));
    }

    private static double perByte(final ClosedForm form, final int from, final int to)
    {
        return (form.sendCompletionNanos(to, false) - form.sendCompletionNanos(from, false)) / (to - from);
    }

    private void otherLatencies()
    {
        final ClosedForm direct = new ClosedForm(hardware.with(Parameter.SWITCHES, 0));
        micros("2 B WRITE one way, one switch", "a cluster's notes, HDR100, ib_write_lat", 1.26,
            model.oneWayNanos(2, true), "the notes count 0.28 us a hop, the model 0.11");
        micros("small frame one way, no switch", "IBM tulips, ConnectX-5, raw, half a round trip", 0.816,
            direct.oneWayNanos(64, true), "");
        micros("32 B SEND one way", "a thesis' table, ib_send_lat, MTU 4096, inline", 0.83,
            direct.oneWayNanos(32, true), "");
        micros("1 KiB SEND one way", "the same table, not inline", 1.61, direct.oneWayNanos(1024, false), "");
        micros("4 KiB SEND one way", "the same table", 2.28, direct.oneWayNanos(4096, false), "");
        micros("32 KiB SEND one way", "the same table", 4.57, direct.oneWayNanos(32_768, false), "");
        final double fifth = new ClosedForm(PcieGeneration.PCIE_5.applyTo(hardware)).oneWayNanos(256, true);
        add("256 B inline with PCIe 5", "field article: below 1 us", 1.0, fifth / MICRO, "us", false,
            "needs a request of 5 blocks by BlueFlame, or no switch");
    }

    private void pcie()
    {
        final double gain = 700;
        add("two DMA reads, PCIe 3", "field article: 2 x 125 ns", 250, 2 * hardware.get(Parameter.DMA_READ), "ns",
            2 * 125 < gain / 2, "the same articles gain 600 to 700 ns by saving two of them: with 125 ns each they " +
            "could gain 250");
        add("a trading system by inline, fewer completions, NUMA", "field article: 1.9 to 1.2 us", 0.7,
            2 * hardware.get(Parameter.DMA_READ) / MICRO, "us", false, "two reads saved");
    }

    private void completions()
    {
        final double every = model.senderNanos(128, true, 1, 1);
        final double seldom = model.senderNanos(128, true, 1, 32);
        final double share = (1 - seldom / every) * 100;
        add("sender's processor time by signaling every 32nd", "field article: -15 to -20 %", 15, share, "%", false,
            "each message posted alone; in chains of 16 a completion is a larger part and it is more");
        add("1 M completions/s", "field article: 6.4 GB/s", 6.4, 1e6 * 64 / 1e9, "GB/s", 6.4 > 1e6 * 128 / 1e9,
            "64 B each are 64 MB/s");
    }

    private void rates()
    {
        final double one = model.mostPerSecond(64, false, 1, 1) / 1e6;
        add("64 B buffers, one a WRITE", "field article: 2 M/s", 2, one, "M/s", false,
            "500 ns a message is a sender that does more than post, or waits for each");
        final Outcome merged = WriteSimulation.run(hardware,
            Workload.saturated(64, 40_000).posting(16, 16 * 64));
        add("64 B buffers, merged", "field article: 5 M/s", 5, merged.perSecond() / 1e6, "M/s", false,
            "16 in one WRITE; 2.5 times is what merging two or three brings, or a copy at 200 ns each");
        final double small = model.mostPerSecond(128, true, 1, 32);
        final double large = model.mostPerSecond(1024, false, 1, 32);
        add("message rate from 128 B to 1 KiB", "field article: -40 %", -40, (large / small - 1) * 100, "%", false,
            "one WRITE a message, sender-bound; merged it is the wire that decides: -85 %");
        final double littles = 120e3 * 85e-6;
        add("one queue pair", "field article: 0.12 M/s at 85 us; 8: 0.68 M/s at 18 us; 16: 1.2 M/s at 9 us", 0.12,
            1e3 / hardware.get(Parameter.NIC_ISSUE), "M/s", 0.12 * 20 < 1e3 / Parameter.NIC_ISSUE.high(),
            String.format(Locale.ROOT, "rate times latency is 10 to 12 in all three lines (%.1f): a closed loop " +
            "with that many requests out, 8 us each on one queue pair. Not a NIC's limit", littles));
    }

    private void micros(
        final String what, final String source, final double published, final double nanos, final String reason)
    {
        add(what, source, published, nanos / MICRO, "us", false, reason);
    }

    private void add(final String what, final String source, final double published, final double ours,
        final String unit, final boolean impossible, final String reason)
    {
        final boolean close = Math.abs(published - ours) <= Math.abs(ours) * CLOSE_PERCENT / 100;
        final Verdict verdict = impossible ? Verdict.IMPOSSIBLE : close ? Verdict.AGREES : Verdict.DIFFERS;
        figures.add(new Figure(what, source, number(published) + " " + unit, number(ours) + " " + unit, verdict,
            reason));
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, Math.abs(value) >= 10 ? "%.0f" : "%.2f", value);
    }
}
