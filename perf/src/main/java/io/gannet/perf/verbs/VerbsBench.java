package io.gannet.perf.verbs;

import io.gannet.rdma.RdmaDevice;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Latency and rate of writes between two devices, as the tables of perftest show them.
 */
public final class VerbsBench
{
    private static final int WARM_UPS = 3;

    private final VerbsOptions options;
    private final Supplier<RdmaDevice> devices;
    private final PrintWriter out;

    /**
     * @param devices opens one device after the other.
     */
    public VerbsBench(final VerbsOptions options, final Supplier<RdmaDevice> devices, final PrintWriter out)
    {
        this.options = options;
        this.devices = devices;
        this.out = out;
    }

    /** Runs all tables. */
    public void run() throws InterruptedException
    {
        if (options.latency())
        {
            latency(false);
        }
        if (options.immediate())
        {
            latency(true);
        }
        if (options.bandwidth())
        {
            for (final int queuePairs : options.queuePairs())
            {
                bandwidth(queuePairs);
            }
        }
        out.flush();
    }

    private VerbsPair pair(final int queuePairs)
    {
        return new VerbsPair(devices.get(), devices.get(), queuePairs, options.depth(), options.inline(),
            2 * Collections.max(options.sizes()));
    }

    private void header(final String test, final VerbsPair pair, final int queuePairs)
    {
        out.printf("%n RDMA_Write %s: %s, %s%n Number of qps %d, depth %d, CQ moderation %d, inline %d, Mtu %d%n",
            test, pair.a().device.name(), pair.b().device.name(), queuePairs,
            pair.a().queuePairs.getFirst().sendDepth(), options.signalEvery(),
            Math.min(options.inline(), pair.a().queuePairs.getFirst().maxInline()),
            pair.a().device.port(1).activeMtu());
    }

    private void latency(final boolean immediate) throws InterruptedException
    {
        try (VerbsPair pair = pair(1))
        {
            header("Latency Test" + (immediate ? " with immediates" : ""), pair, 1);
            out.printf(" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    " +
                "t_stdev[usec]   99%% percentile[usec]   99.9%% percentile[usec]%n");
            for (final int size : options.sizes())
            {
                final WriteLatency test = new WriteLatency(pair, size, immediate, options.inline() > 0);
                if (size == options.sizes().getFirst())
                {
                    test.warmUp();
                }
                test.run(nanos() / 2);
                final Histogram halves = test.run(nanos());
                out.printf(Locale.ROOT, " %-7d %-14d %-14.2f %-12.2f %-16.2f %-14.2f %-15.2f %-22.2f %.2f%n", size,
                    halves.getTotalCount(), micros(halves.getMinValue()), micros(halves.getMaxValue()),
                    micros(halves.getValueAtPercentile(50)), halves.getMean() / 1e3, halves.getStdDeviation() / 1e3,
                    micros(halves.getValueAtPercentile(99)), micros(halves.getValueAtPercentile(99.9)));
                out.flush();
            }
        }
    }

    private void bandwidth(final int queuePairs) throws InterruptedException
    {
        try (VerbsPair pair = pair(queuePairs))
        {
            header("BW Test" + (options.oneThread() ? " in one thread" : ""), pair, queuePairs);
            out.printf(" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]   " +
                "processor[nsec/write]%n");
            for (final int size : options.sizes())
            {
                final WriteBandwidth test = new WriteBandwidth(
                    pair, size, options.signalEvery(), options.inline() > 0, options.oneThread());
                for (int i = 0; i < WARM_UPS; i++)
                {
                    test.run(nanos() / WARM_UPS);
                }
                double peak = 0;
                long writes = 0;
                long nanos = 0;
                long processor = 0;
                for (int i = 0; i < 10; i++)
                {
                    final WriteBandwidth.Result part = test.run(nanos() / 10);
                    peak = Math.max(peak, rate(part.writes(), part.nanos()));
                    writes += part.writes();
                    nanos += part.nanos();
                    processor += part.processorNanos();
                }
                final double rate = rate(writes, nanos);
                out.printf(Locale.ROOT, " %-10d %-14d %-18.2f %-20.2f %-15.6f %.1f%n", size, writes,
                    peak * size / (1 << 20), rate * size / (1 << 20), rate / 1e6, processor / (double) writes);
                out.flush();
            }
        }
    }

    private long nanos()
    {
        return TimeUnit.MILLISECONDS.toNanos(options.millis());
    }

    private static double micros(final long nanos)
    {
        return nanos / 1e3;
    }

    private static double rate(final long count, final long nanos)
    {
        return count * 1e9 / nanos;
    }
}
