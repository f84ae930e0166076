package io.gannet.samples.marketdata.cli;

import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.cli.OperatorException;
import io.gannet.samples.Cores;
import io.gannet.samples.marketdata.subscriber.FeedHandler;
import io.gannet.samples.marketdata.subscriber.FeedSubscriber;
import io.gannet.samples.marketdata.subscriber.InstrumentView;
import io.gannet.samples.marketdata.subscriber.SubscriberCounters;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet feed subscribe}.
 */
@Command(name = "subscribe", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Subscribes to a market-data feed, builds its books, recovers by snapshot.",
    "Ends when the feed ends. Exit code 1 if numbers were missing, or a message didn't fit."})
final class SubscribeCommand implements Callable<Integer>
{
    private static final int POLL_LIMIT = 128;
    private static final int POLLS_BEFORE_SLEEP = 100;
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long REQUEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @Mixin
    private FeedConnection connection;

    @Option(names = "--follow", description = "Wait for the next publisher when a feed ends.")
    private boolean follow;

    private final StatusExchange<SubscriberStatus> exchange = new StatusExchange<>(new SubscriberStatus());
    private LatencyLog latency;
    private long lastMessages;
    private long lastReport = System.nanoTime();

    @Override
    public Integer call()
    {
        try
        {
            return subscribe();
        }
        catch (final GannetException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }

    private int subscribe()
    {
        try (StopSignal stop = connection.stopSignal();
            Gannet client = connection.connect("feed subscriber");
            FeedSubscriber subscriber = new FeedSubscriber(client, connection.channel(), connection.stream()))
        {
            latency = new LatencyLog(subscriber.latency());
            try (Reporter _ = new Reporter(this::report, connection.isChild() ? 200 : 1_000))
            {
                run(subscriber, stop);
            }
            latency.update();
            sumUp(subscriber);
            final SubscriberCounters counters = subscriber.handler().counters();
            return counters.isFaulty() || counters.gaps > 0 ? 1 : 0;
        }
    }

    private void run(final FeedSubscriber subscriber, final StopSignal stop)
    {
        int idle = 0;
        while (!stop.isStopped() && (follow || !subscriber.handler().isComplete()))
        {
            if (subscriber.poll(POLL_LIMIT) > 0)
            {
                idle = 0;
            }
            else if (++idle < POLLS_BEFORE_SLEEP || Cores.spin())
            {
                Cores.pause(0);
            }
            else
            {
                subscriber.await(SLEEP_NANOS);
            }
            if (exchange.isWanted())
            {
                exchange.holder().fill(subscriber.handler());
                exchange.filled();
            }
        }
    }

    private void report()
    {
        if (!exchange.request(REQUEST_NANOS))
        {
            return;
        }
        latency.update();
        final SubscriberStatus status = exchange.holder();
        if (connection.isChild())
        {
            // Behind the copy: the publisher had sent all that it counts by then.
            System.out.println(line(status).now());
            return;
        }
        final long now = System.nanoTime();
        final Histogram interval = latency.interval();
        System.out.printf(Locale.ROOT, "%s, %,d messages, %,.0f/s, latency p50 %s p99 %s p99.9 %s, gaps %,d%s%n",
            stateName(status.state), status.counters.messages,
            (status.counters.messages - lastMessages) * 1e9 / (now - lastReport),
            Durations.text(interval.getValueAtPercentile(50)), Durations.text(interval.getValueAtPercentile(99)),
            Durations.text(interval.getValueAtPercentile(99.9)), status.counters.gaps,
            status.instruments == 0 ? "" : ", " + status.symbol[0] + " " + Prices.text(status.bid[0]) + " / " +
                Prices.text(status.offer[0]));
        lastMessages = status.counters.messages;
        lastReport = now;
    }

    /** The state in words. */
    static String stateName(final FeedHandler.State state)
    {
        return switch (state)
        {
            case JOINING -> "waiting for a publisher";
            case RECOVERING -> "recovering by snapshot";
            case IN_SYNC -> "in sync";
        };
    }

    private StatusLine line(final SubscriberStatus status)
    {
        final StatusLine line = counters(new StatusLine(), status.counters)
            .put("state", stateName(status.state))
            .put("sequence", status.lastSequence)
            .put("instruments", status.instruments);
        percentiles(line, "", latency.interval());
        percentiles(line, "total", latency.total());
        for (int i = 0, n = Math.min(status.instruments, SubscriberStatus.TOPS); i < n; i++)
        {
            line.put("top" + i, status.symbol[i] + "," + status.bid[i] + "," + status.bidQuantity[i] + "," +
                status.offer[i] + "," + status.offerQuantity[i] + "," + status.last[i] + "," + status.trades[i]);
        }
        for (int side = 0; side < 2; side++)
        {
            final StringBuilder depth = new StringBuilder();
            for (int i = 0; i < status.depth[side]; i++)
            {
                depth.append(i == 0 ? "" : ",").append(status.depthPrice[side][i]).append(',')
                    .append(status.depthQuantity[side][i]);
            }
            line.put(side == 0 ? "bids" : "offers", depth);
        }
        return line;
    }

    private static StatusLine counters(final StatusLine line, final SubscriberCounters counters)
    {
        return line.put("messages", counters.messages)
            .put("gaps", counters.gaps)
            .put("missed", counters.missed)
            .put("recoveries", counters.recoveries)
            .put("late", counters.lateJoin ? 1 : 0)
            .put("faulty", counters.isFaulty() ? 1 : 0)
            .put("malformed", counters.malformed)
            .put("mismatches", counters.mismatches + counters.rptSeqErrors + counters.unknownInstruments)
            .put("adds", counters.adds)
            .put("changes", counters.changes)
            .put("deletes", counters.deletes)
            .put("trades", counters.trades)
            .put("fills", counters.fills);
    }

    private static void percentiles(final StatusLine line, final String prefix, final Histogram histogram)
    {
        line.put(prefix + "p50", histogram.getValueAtPercentile(50))
            .put(prefix + "p99", histogram.getValueAtPercentile(99))
            .put(prefix + "p999", histogram.getValueAtPercentile(99.9))
            .put(prefix + "max", histogram.getMaxValue())
            .put(prefix + "count", histogram.getTotalCount());
    }

    private void sumUp(final FeedSubscriber subscriber)
    {
        final FeedHandler handler = subscriber.handler();
        final BookDigest digest = new BookDigest();
        for (final InstrumentView view : handler.instruments())
        {
            digest.add(view.securityId(), view.book());
        }
        final SubscriberCounters counters = handler.counters();
        final Histogram total = latency.total();
        if (connection.isChild())
        {
            exchange.holder().fill(handler);
            System.out.println(line(exchange.holder())
                .now()
                .put("final", 1)
                .put("complete", handler.isComplete() ? 1 : 0)
                .put("orders", digest.orders())
                .put("digest", digest)
                .put("clockSteps", subscriber.clockSteps())
                .put("histogram", latency.encoded()));
            return;
        }
        System.out.printf(Locale.ROOT,
            "received %,d messages%s: %,d adds, %,d changes, %,d deletes, %,d trades, %,d fills%n" +
            "gaps %,d (%,d messages), recoveries %,d, malformed %,d, mismatches %,d%n" +
            "latency from the intended time: p50 %s, p99 %s, p99.9 %s, max %s%n" +
            "final books: %,d orders, digest %s%n",
            counters.messages, counters.lateJoin ? " after a late join" : "", counters.adds, counters.changes,
            counters.deletes, counters.trades, counters.fills, counters.gaps, counters.missed, counters.recoveries,
            counters.malformed, counters.mismatches + counters.rptSeqErrors + counters.unknownInstruments,
            Durations.text(total.getValueAtPercentile(50)), Durations.text(total.getValueAtPercentile(99)),
            Durations.text(total.getValueAtPercentile(99.9)), Durations.text(total.getMaxValue()), digest.orders(),
            digest);
    }
}
