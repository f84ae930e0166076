package io.gannet.samples.marketdata.cli;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.SubscriberLag;
import io.gannet.cli.OperatorException;
import io.gannet.samples.Cores;
import io.gannet.samples.marketdata.publisher.FeedPublisher;
import io.gannet.samples.marketdata.publisher.PublicationOutlet;
import io.gannet.samples.marketdata.publisher.PublisherCounters;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet feed publish}.
 */
@Command(name = "publish", sortOptions = false, mixinStandardHelpOptions = true,
    description = "Publishes a market-data feed, generated or from a file.")
final class PublishCommand implements Callable<Integer>
{
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long REQUEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @Mixin
    private FeedConnection connection;

    @Mixin
    private SourceOptions source;

    @Option(names = "--wait", description = "Begin when there is a subscriber.")
    private boolean waitForSubscriber;

    private final StatusExchange<PublisherCounters> exchange = new StatusExchange<>(new PublisherCounters());
    private long publishedNanos;
    private long lastMessages;
    private long lastReport = System.nanoTime();

    @Override
    public Integer call() throws IOException
    {
        try
        {
            return publish();
        }
        catch (final GannetException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }

    private int publish() throws IOException
    {
        try (StopSignal stop = connection.stopSignal();
            Gannet client = connection.connect("feed publisher");
            ExclusivePublication incremental =
                client.addExclusivePublication(connection.channel(), connection.stream());
            ExclusivePublication snapshots =
                client.addExclusivePublication(connection.channel(), connection.stream() + 1))
        {
            while (waitForSubscriber && !incremental.isConnected() && !stop.isStopped())
            {
                Cores.pause(TimeUnit.MILLISECONDS.toNanos(1));
            }
            try (FeedPublisher publisher = new FeedPublisher(source.supplier(), source.settings(),
                new PublicationOutlet(incremental), new PublicationOutlet(snapshots),
                new BackoffIdleStrategy(0, 20, 10_000, 1_000_000)))
            {
                try (Reporter _ = new Reporter(this::report, connection.isChild() ? 200 : 1_000);
                    Reporter _ = new Reporter(() -> stopIfAsked(stop, publisher), 20))
                {
                    final long start = System.nanoTime();
                    run(publisher, stop);
                    publisher.end();
                    publishedNanos = System.nanoTime() - start;
                    linger(publisher, incremental, snapshots);
                }
                sumUp(publisher);
            }
        }
        return 0;
    }

    /** A publisher that waits for room looks at nothing else. */
    private static void stopIfAsked(final StopSignal stop, final FeedPublisher publisher)
    {
        if (stop.isStopped())
        {
            publisher.stop();
        }
    }

    private void run(final FeedPublisher publisher, final StopSignal stop) throws IOException
    {
        while (!publisher.isDone() && !stop.isStopped())
        {
            step(publisher);
        }
    }

    private void step(final FeedPublisher publisher) throws IOException
    {
        final long wait = publisher.doWork();
        if (exchange.isWanted())
        {
            exchange.holder().copyFrom(publisher.counters());
            exchange.filled();
        }
        if (wait > 0)
        {
            Cores.pause(wait);
        }
    }

    /** Stays until all is consumed and nobody waits for a snapshot any more, but not for ever. */
    private void linger(
        final FeedPublisher publisher, final ExclusivePublication incremental, final ExclusivePublication snapshots)
        throws IOException
    {
        final long start = System.nanoTime();
        while (System.nanoTime() - start < LINGER_NANOS && incremental.isConnected())
        {
            final SubscriberLag slowest = incremental.slowestSubscriber();
            if (!snapshots.isConnected() && (slowest == null || slowest.lag() == 0))
            {
                break;
            }
            for (int i = 0; i < 200; i++)
            {
                step(publisher);
            }
        }
    }

    private void report()
    {
        // Before the copy: what anybody had received by this time is counted in it.
        final StatusLine line = new StatusLine().now();
        if (!exchange.request(REQUEST_NANOS))
        {
            return;
        }
        final PublisherCounters counters = exchange.holder();
        if (connection.isChild())
        {
            System.out.println(status(line, counters));
            return;
        }
        final long now = System.nanoTime();
        System.out.printf(Locale.ROOT, "published %,d messages, %,.0f/s, back pressure %,d times %,.1f ms%s%n",
            counters.messages, (counters.messages - lastMessages) * 1e9 / (now - lastReport),
            counters.backPressured, counters.backPressuredNanos / 1e6,
            counters.unheard > 0 ? ", " + counters.unheard + " with no subscriber" : "");
        lastMessages = counters.messages;
        lastReport = now;
    }

    private static StatusLine status(final StatusLine line, final PublisherCounters counters)
    {
        return line
            .put("messages", counters.messages)
            .put("bytes", counters.bytes)
            .put("backPressured", counters.backPressured)
            .put("backPressuredNanos", counters.backPressuredNanos)
            .put("loops", counters.loops)
            .put("unheard", counters.unheard)
            .put("adds", counters.adds)
            .put("changes", counters.changes)
            .put("deletes", counters.deletes)
            .put("trades", counters.trades)
            .put("fills", counters.fills)
            .put("snapshots", counters.snapshotCycles);
    }

    private void sumUp(final FeedPublisher publisher)
    {
        final PublisherCounters counters = publisher.counters();
        final BookDigest digest = new BookDigest();
        for (int i = 0; i < publisher.instrumentCount(); i++)
        {
            digest.add(publisher.instrument(i).id(), publisher.book(i));
        }
        if (connection.isChild())
        {
            System.out.println(status(new StatusLine().now(), counters)
                .put("final", 1)
                .put("nanos", publishedNanos)
                .put("sequence", publisher.lastSequence())
                .put("inconsistent", publisher.inconsistentEvents())
                .put("orders", digest.orders())
                .put("digest", digest)
                .put("source", publisher.sourceSummary()));
            return;
        }
        System.out.printf(Locale.ROOT,
            "%s%npublished %,d messages (%,d adds, %,d changes, %,d deletes, %,d trades, %,d fills), %,d loops%n" +
            "final books: %,d orders, digest %s%n",
            publisher.sourceSummary(), counters.messages, counters.adds, counters.changes, counters.deletes,
            counters.trades, counters.fills, counters.loops, digest.orders(), digest);
        if (publisher.inconsistentEvents() > 0)
        {
            System.out.printf(Locale.ROOT, "%,d events of the source did not fit its own book and were left out%n",
                publisher.inconsistentEvents());
        }
    }
}
