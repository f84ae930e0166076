package io.gannet.samples.orderflow.cli;

import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.samples.marketdata.cli.Durations;
import io.gannet.samples.marketdata.cli.LatencyLog;
import io.gannet.samples.marketdata.cli.Reporter;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.cli.StopSignal;
import io.gannet.samples.orderflow.client.LoadPlan;
import io.gannet.samples.orderflow.client.LoadStatistics;
import io.gannet.samples.orderflow.client.OrderLoad;
import io.gannet.samples.orderflow.gateway.GatewaySettings;
import io.gannet.samples.orderflow.matching.LinkNumbers;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet orders clients}.
 */
@Command(name = "clients", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Simulates clients: sessions that quote, replace, cancel and take, at a set rate, whatever the answers.",
    "Ends by Ctrl-C or after --seconds. Exit code 1 if answers are missing at the end."})
final class ClientsCommand implements Callable<Integer>
{
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long ESTABLISH_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** What a client that died had is free before. */
    private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Mixin
    private VenueOptions venue;

    @Option(names = "--connection", defaultValue = "0", description =
        "Number of this process among the gateway's clients. Default: ${DEFAULT-VALUE}.")
    private int connection;

    @Option(names = "--first-session", defaultValue = "1", description =
        "Id of the first session. Default: ${DEFAULT-VALUE}.")
    private int firstSession;

    @Option(names = "--sessions", defaultValue = "100", description = "Sessions. Default: ${DEFAULT-VALUE}.")
    private int sessions;

    @Option(names = "--rate", defaultValue = "2000", description =
        "Requests per second of all sessions together. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(names = "--burst", defaultValue = "50", description =
        "Of each thousand requests so many come at once. Default: ${DEFAULT-VALUE}.")
    private int burst;

    @Option(names = "--seed", defaultValue = "1", description = "Of what they do. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--keep-alive", paramLabel = "MS", defaultValue = "2000", description =
        "How often client and gateway show that they are there, 10 to 600000; three times that without a sign ends " +
        "a session. Default: ${DEFAULT-VALUE}.")
    private long keepAliveMillis;

    @Option(names = "--keep-orders", description = "Orders stay in the book when the clients end.")
    private boolean keepOrders;

    private LatencyLog acks;
    private LatencyLog trades;
    private long lastSent;
    private long lastTime;

    @Override
    public Integer call()
    {
        VenueOptions.require("--keep-alive", keepAliveMillis, 10, 600_000);
        VenueOptions.require("--sessions", sessions, 1, GatewaySettings.MAX_SESSIONS);
        // The high 16 bits are the gateway's, and all sessions are of one.
        VenueOptions.require("--first-session", firstSession, 1, LinkNumbers.MAX_GATEWAYS << 16);
        if ((firstSession & 0xFFFF) + sessions - 1 > GatewaySettings.MAX_SESSIONS)
        {
            throw new UsageException("--first-session " + firstSession + " with --sessions " + sessions +
                ": a gateway's sessions end with number " + GatewaySettings.MAX_SESSIONS);
        }
        VenueOptions.require("--connection", connection, 0, 1_000_000);
        if (!(rate > 0 && rate <= 10_000_000))
        {
            throw new UsageException("--rate " + rate + ": must be above 0 and at most 10000000");
        }
        final LoadPlan plan;
        try
        {
            plan = new LoadPlan(rate, burst);
        }
        catch (final IllegalArgumentException wrong)
        {
            throw new UsageException(wrong.getMessage(), wrong);
        }
        venue.check();
        try (StopSignal stop = new StopSignal(0, venue.isChild());
            Gannet client = venue.connect("order clients");
            OrderLoad load = new OrderLoad(venue.transport(client), venue.streams(), connection, firstSession,
                sessions, keepAliveMillis, !keepOrders, venue.tradables(), seed))
        {
            return run(load, plan, stop);
        }
        catch (final GannetException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }

    private int run(final OrderLoad load, final LoadPlan plan, final StopSignal stop)
    {
        final IdleStrategy idle = load.connection().idle(venue.waiting());
        final long asked = System.nanoTime();
        final EstablishNews news = new EstablishNews(load, sessions, venue.streams().toGateway(),
            text -> System.err.println("clients: " + text));
        while (!load.isEstablished() && !stop.isStopped())
        {
            idle.idle(load.doWork());
            news.look(System.nanoTime() - asked);
            final long limit = load.refusal().isEmpty() ? ESTABLISH_NANOS : REFUSED_NANOS;
            if (System.nanoTime() - asked > limit)
            {
                throw new OperatorException("no gateway established all " + sessions + " sessions from " +
                    firstSession + " within " + TimeUnit.NANOSECONDS.toSeconds(limit) + " s: " +
                    (load.refusal().isEmpty() ? "is one running with at least so many --sessions?" : load.refusal()));
            }
        }
        news.end();
        acks = new LatencyLog(load.statistics().orderToAck);
        trades = new LatencyLog(load.statistics().orderToTrade);
        final long start = System.nanoTime();
        lastTime = start;
        load.begin(plan, venue.seconds() > 0 ? (long) (venue.seconds() * rate) : Long.MAX_VALUE);
        final long end;
        try (Reporter _ = new Reporter(() -> report(load.statistics()), venue.isChild() ? 200 : 1_000))
        {
            while (!load.isDone() && !stop.isStopped())
            {
                idle.idle(load.doWork());
            }
            load.begin(plan, 0);
            end = System.nanoTime();
            load.flush();
            while ((load.inFlight() > 0 || !load.isFlushed()) && System.nanoTime() - end < PATIENCE_NANOS)
            {
                idle.idle(load.doWork());
            }
        }
        sumUp(load, (end - start) / 1e9);
        return load.inFlight() == 0 ? 0 : 1;
    }

    private void report(final LoadStatistics statistics)
    {
        acks.update();
        trades.update();
        if (venue.isChild())
        {
            System.out.println(status(statistics));
            return;
        }
        final long now = System.nanoTime();
        final long sent = statistics.sent.get();
        System.out.printf(Locale.ROOT, "sent %,d (%,.0f/s), answered %,d, trades %,d, order to ack %s%n", sent,
            (sent - lastSent) * 1e9 / (now - lastTime), statistics.answered.get(), statistics.tradesTaken.get(),
            text(acks.interval()));
        lastSent = sent;
        lastTime = now;
    }

    private static String text(final Histogram histogram)
    {
        return "p50 " + Durations.text(histogram.getValueAtPercentile(50)) + " p99 " +
            Durations.text(histogram.getValueAtPercentile(99)) + " p99.99 " +
            Durations.text(histogram.getValueAtPercentile(99.99));
    }

    private StatusLine status(final LoadStatistics statistics)
    {
        final StatusLine line = new StatusLine()
            .put("sent", statistics.sent.get())
            .put("answered", statistics.answered.get())
            .put("late", statistics.late.get())
            .put("refused", statistics.refused.get())
            .put("business", statistics.business.get())
            .put("skipped", statistics.skipped.get())
            .put("lost", statistics.lost.get())
            .put("taken", statistics.tradesTaken.get())
            .put("made", statistics.tradesMade.get())
            .put("bought", statistics.bought.get())
            .put("sold", statistics.sold.get());
        percentiles(line, "ack", acks.interval());
        percentiles(line, "ackTotal", acks.total());
        percentiles(line, "tradeTotal", trades.total());
        return line;
    }

    private static void percentiles(final StatusLine line, final String prefix, final Histogram histogram)
    {
        line.put(prefix + "p50", histogram.getValueAtPercentile(50))
            .put(prefix + "p99", histogram.getValueAtPercentile(99))
            .put(prefix + "p999", histogram.getValueAtPercentile(99.9))
            .put(prefix + "p9999", histogram.getValueAtPercentile(99.99))
            .put(prefix + "max", histogram.getMaxValue());
    }

    private void sumUp(final OrderLoad load, final double seconds)
    {
        acks.update();
        trades.update();
        final LoadStatistics statistics = load.statistics();
        if (venue.isChild())
        {
            System.out.println(status(statistics).put("final", 1).put("millis", (long) (seconds * 1000)));
            return;
        }
        System.out.printf(Locale.ROOT, "sent %,d in %.1f s, answered %,d, of these too late (filled before) %,d, " +
            "refused %,d, not processed %,d; skipped %,d, trades %,d%norder to ack from the intended time: %s%n" +
            "order to trade: %s%n", statistics.sent.get(), seconds, statistics.answered.get(), statistics.late.get(),
            statistics.refused.get(), statistics.business.get(), statistics.skipped.get(),
            statistics.tradesTaken.get(), text(acks.total()), text(trades.total()));
    }
}
