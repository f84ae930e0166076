package io.gannet.perf.orders;

import io.gannet.perf.os.Posix;
import io.gannet.perf.os.ThreadTimes;
import io.gannet.perf.rig.AeronDriverMain;
import io.gannet.perf.rig.Bars;
import io.gannet.perf.rig.GannetDriverMain;
import io.gannet.perf.rig.RigException;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.Summary;
import io.gannet.samples.orderflow.client.LoadStatistics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Measures the pipeline over both peers in turn: a warm-up of each, then rounds of one open-loop and one closed-loop
 * phase.
 */
public final class OrdersRun
{
    /** Start of metrics of the sustained rate: nanoseconds of processor per order, of all threads of a process. */
    public static final String CPU = "cpu";
    /** Start of metrics of the sustained rate: share of its time that a process's busiest thread had no processor. */
    public static final String WAIT = "waitedForProcessor";

    /** Bytes of an order on the wire, for the rows. */
    private static final int ORDER_BYTES = 104;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    /** In flight besides the window: where few are, latencies make the rate; where many are, the slowest process. */
    private static final List<Integer> WINDOWS = List.of(10, 100);
    private static final int FEWER_SHARE = 4;
    private static final List<String> PEERS = List.of("gannet", "aeron");

    /** The engine's thread that makes the journal's next file. */
    private static final String JOURNAL_FILES = "journal-files";

    private final OrdersOptions options;
    private final PrintWriter log;
    private final Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();
    private final Map<String, Map<String, Histogram>> histograms = new LinkedHashMap<>();

    /**
     * @param log for people.
     */
    public OrdersRun(final OrdersOptions options, final PrintWriter log)
    {
        this.options = options;
        this.log = log;
    }

    /** Runs it all. */
    public void run() throws IOException, InterruptedException
    {
        // Processes start on the processors of the thread that starts them.
        if (options.alone() > 0 && !Posix.pin(-options.alone()))
        {
            throw new RigException("the processes can't be bound to the first " + options.alone() + " processors");
        }
        final Path base = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-orders-");
        try (Venue gannet = new Venue("gannet", GannetDriverMain.class, base, options))
        {
            warmUp(gannet);
            try (Venue aeron = new Venue("aeron", AeronDriverMain.class, base, options))
            {
                warmUp(aeron);
                for (int round = 0; round < options.rounds(); round++)
                {
                    // Who goes first alternates.
                    measure(round % 2 == 0 ? gannet : aeron);
                    measure(round % 2 == 0 ? aeron : gannet);
                    log.printf("round %d of %d%n", round + 1, options.rounds());
                    log.flush();
                }
            }
        }
        finally
        {
            delete(base);
        }
    }

    private static void delete(final Path base) throws IOException
    {
        try (Stream<Path> files = Files.walk(base))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }

    private void warmUp(final Venue venue) throws IOException, InterruptedException
    {
        sustained(venue, options.window(), options.millis());
        venue.phase(LoadWorker.PACED);
        venue.pause();
    }

    private static PhaseResult sustained(final Venue venue, final int window, final int millis)
        throws IOException, InterruptedException
    {
        return venue.phase(LoadWorker.SUSTAINED + " " + window + " " + millis);
    }

    private static double rate(final PhaseResult result)
    {
        return result.answered() * 1e9 / result.nanos();
    }

    private void measure(final Venue venue) throws IOException, InterruptedException
    {
        venue.resume();
        final long before = venue.allocated();
        final PhaseResult paced = venue.phase(LoadWorker.PACED);
        final Map<String, ThreadTimes> begun = venue.times();
        final PhaseResult sustained = sustained(venue, options.window(), options.millis());
        processors(venue.peer(), begun, venue.times(), sustained.answered());
        final long allocated = venue.allocated() - before;
        final String peer = venue.peer();
        for (final int fewer : WINDOWS)
        {
            add(peer, "rate" + fewer, rate(sustained(venue, fewer, options.millis() / FEWER_SHARE)));
        }
        venue.pause();
        latencies(peer, "orderToAck", decode(paced.ack()));
        latencies(peer, "orderToTrade", decode(paced.trade()));
        for (int i = 0; i < LoadStatistics.HOPS.size(); i++)
        {
            final Histogram hop = decode(paced.hops().get(i));
            add(peer, "hop " + LoadStatistics.HOPS.get(i) + " P50", (double) hop.getValueAtPercentile(50));
            merge(peer, LoadStatistics.HOPS.get(i), hop);
        }
        add(peer, "rate", rate(sustained));
        add(peer, "bytesPerOrder", allocated / (double) (paced.answered() + sustained.answered()));
    }

    /** Who had the processors while the rate was sustained, and who waited for one. */
    private void processors(
        final String peer, final Map<String, ThreadTimes> begun, final Map<String, ThreadTimes> ended,
        final long orders)
    {
        final double each = Math.max(orders, 1);
        ended.forEach((role, times) ->
        {
            final ThreadTimes spent = times.since(begun.get(role));
            if (spent.times().isEmpty())
            {
                return;
            }
            add(peer, CPU + role, spent.run("") / each);
            if (spent.run(JOURNAL_FILES) > 0)
            {
                add(peer, CPU + role + "JournalFiles", spent.run(JOURNAL_FILES) / each);
            }
            add(peer, WAIT + role, spent.busiest().waitedShare());
        });
    }

    private void latencies(final String peer, final String name, final Histogram histogram)
    {
        for (final double percentile : PERCENTILES)
        {
            add(peer, name + "P" + (percentile == Math.rint(percentile) ? "" + (int) percentile :
                ("" + percentile).replace(".", "")), (double) histogram.getValueAtPercentile(percentile));
        }
        merge(peer, name, histogram);
    }

    private void add(final String peer, final String metric, final double value)
    {
        values.computeIfAbsent(metric, key -> new LinkedHashMap<>()).computeIfAbsent(peer, key -> new ArrayList<>())
            .add(value);
    }

    private void merge(final String peer, final String name, final Histogram histogram)
    {
        histograms.computeIfAbsent(name, key -> new LinkedHashMap<>())
            .computeIfAbsent(peer, key -> new Histogram(3)).add(histogram);
    }

    private static Histogram decode(final String text)
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        }
        catch (final DataFormatException damaged)
        {
            throw new IllegalStateException(damaged);
        }
    }

    /** Medians of the rounds: latencies of the open loop in nanoseconds, rate of the closed loop per second. */
    public List<Row> rows()
    {
        final List<Row> rows = new ArrayList<>();
        values.forEach((metric, byPeer) ->
        {
            final Summary ours = Summary.of(byPeer.getOrDefault(PEERS.getFirst(), List.of()));
            final Summary theirs = Summary.of(byPeer.getOrDefault(PEERS.getLast(), List.of()));
            rows.add(new Row("orders", PEERS.getLast(), ORDER_BYTES, "any", "even", metric,
                Math.min(ours.n(), theirs.n()), ours.median(), theirs.median(),
                theirs.median() == 0 ? null : Math.rint(ours.median() / theirs.median() * 1000) / 1000, ours.low(),
                ours.high(), theirs.low(), theirs.high()));
        });
        return rows;
    }

    /** What order flow has to reach beside Aeron: order to ack at most 0.9 times, sustained rate at least 1.2 times. */
    public static List<Bars.Bar> bars(final List<Row> rows)
    {
        return rows.stream().filter(row -> row.metric().equals("orderToAckP50") || row.metric().equals("rate"))
            .map(row ->
            {
                final boolean atLeast = row.metric().equals("rate");
                final double limit = atLeast ? 1.2 : 0.9;
                final Double ratio = row.ratio();
                final Bars.Verdict verdict = ratio == null ? Bars.Verdict.NOT_SEEN :
                    (atLeast ? ratio >= limit : ratio <= limit) ? Bars.Verdict.PASS : Bars.Verdict.FAIL;
                return new Bars.Bar(row.bench(), row.size(), row.placement(), row.start(), row.metric(), row.peer(),
                    atLeast, limit, row.n(), ratio, verdict);
            })
            .toList();
    }

    /** Latencies of all rounds together, by what and peer. */
    public Map<String, Map<String, Histogram>> histograms()
    {
        return histograms;
    }
}
