package io.gannet.perf.rig;

import io.gannet.perf.worker.Scenario;
import io.gannet.perf.worker.Scenario.Layout;
import io.gannet.perf.worker.Scenario.LoadKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Results without a machine.
 */
public final class Fixtures
{
    private Fixtures()
    {
    }

    /** A run with seen cells near, one cell of nine phases far, and latencies. */
    public static RunRecord run()
    {
        final Results results = new Results();
        for (int i = 0; i < 12; i++)
        {
            results.add(rate("gannet", 90e6 + i * 1e6, Placement.NEAR, i), null);
            results.add(rate("aeron", 30e6 + i * 1e6, Placement.NEAR, i), null);
            results.add(latency("gannet", 150 + i, i), histogram(150 + i));
            results.add(latency("aeron", 300 + i, i), histogram(300 + i));
        }
        for (int i = 0; i < 9; i++)
        {
            results.add(rate("gannet", 50e6, Placement.FAR, i), null);
            results.add(rate("aeron", 10e6, Placement.FAR, i), null);
        }
        results.add(rate("gannet", 1, Placement.MOVED, 13), null);
        results.add(rate("gannet", 1, Placement.UNKNOWN, 14), null);
        return record(results);
    }

    /** A run of two producers on two processors, which no placement is probed of. */
    public static RunRecord crowdedRun()
    {
        final Results results = new Results();
        addCrowded(results);
        return record(results);
    }

    /** A run with one cell that was probed and one that was not, and a phase that was dropped. */
    public static RunRecord mixedRun()
    {
        final Results results = new Results();
        addCrowded(results);
        for (int i = 0; i < 12; i++)
        {
            results.add(rate("gannet", 90e6, Placement.NEAR, i), null);
            results.add(rate("aeron", 30e6, Placement.NEAR, i), null);
        }
        results.add(rate("gannet", 1, Placement.MOVED, 13), null);
        return record(results);
    }

    private static void addCrowded(final Results results)
    {
        for (int i = 0; i < 10; i++)
        {
            for (final String peer : List.of("gannet", "aeron"))
            {
                results.add(new Sample(new Scenario(0, peer, LoadKind.THROUGHPUT, 96, false, 2, 1,
                    Layout.TWO_PROCESSES, 16 << 20, 0), Sample.Start.EVEN, Placement.ANY, 0, i * 100L,
                    Map.of(Row.RATE, peer.equals("gannet") ? 30e6 : 20e6), new Sample.Interruptions(1, 0, 0, 0)), null);
            }
        }
    }

    private static RunRecord record(final Results results)
    {
        final Map<String, String> machine = new LinkedHashMap<>();
        machine.put("date", "2026-01-01T00:00:00Z");
        machine.put("processor", "made <up>");
        return new RunRecord(machine, Map.of("phase", "100 ms"), results);
    }

    static Sample rate(final String peer, final double rate, final Placement placement, final int at)
    {
        return new Sample(scenario(peer, LoadKind.THROUGHPUT), Sample.Start.EVEN, placement, 70, at * 100L,
            Map.of(Row.RATE, rate), new Sample.Interruptions(1, 0, 0, 0));
    }

    private static Sample latency(final String peer, final double p50, final int at)
    {
        final Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("p50Nanos", p50);
        metrics.put("p99Nanos", p50 * 3);
        return new Sample(scenario(peer, LoadKind.PING_PONG), Sample.Start.EVEN, Placement.NEAR, 70, at * 100L, metrics,
            new Sample.Interruptions(2, 0, 0, 0));
    }

    private static Histogram histogram(final int around)
    {
        final Histogram histogram = new Histogram(1_000_000_000L, 3);
        for (int i = 0; i < 100; i++)
        {
            histogram.recordValue(around + i);
        }
        return histogram;
    }

    static Scenario scenario(final String peer, final LoadKind load)
    {
        return new Scenario(0, peer, load, 96, true, 1, 1, Layout.TWO_PROCESSES, 16 << 20, 0);
    }
}
