package io.gannet.perf.rig;

import io.gannet.perf.link.ImpairedLink;
import io.gannet.perf.link.Impairment;
import io.gannet.perf.link.Namespaces;
import io.gannet.perf.link.Tunnel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Goodput and latency between two drivers in network namespaces, over a link that loses, repeats and reorders packets.
 * Every message is checked: once, whole, in order.
 */
public final class LossRun
{
    private static final String RESENT = "packets sent again";
    private static final String TIMEOUTS = "waits for an acknowledge that ran out";
    private static final String NAKS = "NAKs received: sequence";
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);
    private static final int STREAM = 7;

    private final int mtu;
    private final int length;
    private final long perSecond;
    private final long millis;
    private final Path capture;

    /**
     * @param length    bytes of a message.
     * @param perSecond messages of the paced part, whose latency is reported.
     * @param millis    of each part.
     * @param capture   file for all packets, or null.
     */
    public LossRun(final int mtu, final int length, final long perSecond, final long millis, final Path capture)
    {
        this.mtu = mtu;
        this.length = length;
        this.perSecond = perSecond;
        this.millis = millis;
        this.capture = capture;
    }

    private static Map<String, Impairment> impairments()
    {
        final Map<String, Impairment> all = new LinkedHashMap<>();
        all.put("none", Impairment.NONE);
        all.put("0.1 % lost", Impairment.loss(0.001));
        all.put("1 % lost", Impairment.loss(0.01));
        all.put("5 % lost", Impairment.loss(0.05));
        all.put("1 % twice", new Impairment(0, 0.01, 0, 0, 0, false));
        all.put("1 % overtaken", new Impairment(0, 0, 0.01, 0, 0, false));
        all.put("all three, 1 %", new Impairment(0.01, 0.01, 0.01, 0, 0, false));
        return all;
    }

    /** Runs everything and prints the table; throws if a message was lost, repeated, damaged or out of order. */
    public void run(final PrintWriter out) throws IOException, InterruptedException
    {
        final Tunnel[] ends = new Tunnel[2];
        try (Namespaces namespaces = Namespaces.tunnels(ends, mtu);
            ImpairedLink link = new ImpairedLink(ends, 1, capture);
            LinkPair pair = new LinkPair(namespaces);
            NumberedFlow flow =
                new NumberedFlow(pair.publish(STREAM, "1m"), pair.subscribe(STREAM), length, 0))
        {
            out.printf("two drivers, MTU %d, messages of %d bytes, paced part %d/s%n", mtu, length, perSecond);
            out.printf("%-16s %14s %12s %12s %12s %9s %9s %9s %10s%n", "link", "goodput MB/s", "p50 us", "p99 us",
                "max us", "resent", "NAKs", "timeouts", "messages");
            out.flush();
            for (final Map.Entry<String, Impairment> each : impairments().entrySet())
            {
                row(out, link, pair, flow, each.getKey(), each.getValue());
            }
            link.impair(Impairment.NONE);
            flow.finish(PATIENCE);
            out.printf("%,d messages, each once, whole and in order; the link carried %,d packets, lost %,d%n",
                flow.received(), link.carried(), link.vanished());
            out.flush();
        }
    }

    private void row(
        final PrintWriter out,
        final ImpairedLink link,
        final LinkPair pair,
        final NumberedFlow flow,
        final String name,
        final Impairment impairment)
    {
        link.impair(impairment);
        final long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        final long resent = pair.counter(0, RESENT);
        final long timeouts = pair.counter(0, TIMEOUTS);
        final long naks = pair.counter(0, NAKS);
        final long messages = flow.received();
        flow.interval(0);
        flow.run(nanos / 2);
        final long bytes = flow.bytes();
        final long start = System.nanoTime();
        flow.run(nanos);
        final double goodput = (flow.bytes() - bytes) * 1e3 / (System.nanoTime() - start);
        flow.interval(TimeUnit.SECONDS.toNanos(1) / perSecond);
        flow.run(nanos / 2);                // the backlog drains
        flow.latency();
        flow.run(2 * nanos);
        final Histogram latency = flow.latency();
        out.printf(Locale.ROOT, "%-16s %14.2f %12.1f %12.1f %12.1f %9d %9d %9d %10d%n", name, goodput,
            latency.getValueAtPercentile(50) / 1e3, latency.getValueAtPercentile(99) / 1e3,
            latency.getMaxValue() / 1e3, pair.counter(0, RESENT) - resent, pair.counter(0, NAKS) - naks,
            pair.counter(0, TIMEOUTS) - timeouts, flow.received() - messages);
        out.flush();
    }
}
