package io.gannet.samples.orderflow.engine;

import io.gannet.samples.UtcClock;
import io.gannet.samples.marketdata.publisher.FeedPublisher;
import io.gannet.samples.marketdata.publisher.PublisherSettings;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.journal.JournalReader;
import io.gannet.samples.orderflow.journal.Recovery;
import io.gannet.samples.orderflow.journal.Snapshots;
import io.gannet.samples.orderflow.link.FailStop;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Transport;
import io.gannet.samples.orderflow.matching.EngineOutput;
import io.gannet.samples.orderflow.matching.MatchingEngine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.IdleStrategy;

/**
 * A running engine: recovers from its journal, then takes commands until it is closed.
 */
public final class Engine implements AutoCloseable
{
    /** Bytes of the log of market data where there is no feed: only what is written next is in the caches. */
    private static final int UNREAD_LOG = 1 << 16;

    private final FileChannel lockFile;
    private final EngineSettings settings;
    private final JournalReader.Summary recovered;
    private final MatchingEngine matching;
    private final EngineCounters counters = new EngineCounters();
    private final Journal journal;
    private final Inlet inlet;
    private final Sender reports;
    private final List<Sender> feedSenders = new ArrayList<>();
    private final FeedPublisher feed;
    private final List<AgentRunner> runners = new ArrayList<>();
    private boolean closed;

    /**
     * Recovers and starts.
     *
     * @param onError told when a stage fails; the engine then does nothing more.
     * @throws IOException if the journal can't be used, or another engine uses it.
     */
    public Engine(final EngineSettings settings, final Transport transport, final ErrorHandler onError)
        throws IOException
    {
        this.settings = settings;
        Files.createDirectories(settings.journal());
        lockFile = lock(settings.journal());
        try
        {
            final EngineOutput output = new EngineOutput(MessageLog.allocate(settings.reportLog()),
                MessageLog.allocate(settings.feed() ? settings.reportLog() / 2 : UNREAD_LOG));
            matching = new MatchingEngine(settings.tradables(), settings.limits(), output);
            Journal.repair(settings.journal());
            recovered = Recovery.recover(settings.journal(), matching);
            journal = new Journal(settings.journal(), recovered.lastSequence(), settings.segmentSize(),
                settings.durability(), matching.configuration());
            final Streams streams = settings.streams();
            inlet = transport.inlet(streams.toEngine());
            reports = transport.sender(streams.fromEngine());
            final ReportSender sender =
                new ReportSender(output.reports(), output.index(), reports, counters, output.sequence() + 1);
            final LiveSource source = settings.feed() ? new LiveSource(matching, settings.tradables(),
                output.market(), new UtcClock().nanos()) : null;
            feed = source == null ? null : feed(transport, streams, source);
            final EngineOutputs outputs = new EngineOutputs(output, sender, source, feed);
            final Pipeline pipeline = new Pipeline(inlet, journal, matching, outputs, counters, settings.layout(),
                settings.waiting().strategy());
            for (final List<Agent> agents : pipeline.agents(settings.layout()))
            {
                // The first thread reads the stream, the others the ring of the first.
                final IdleStrategy idle = runners.isEmpty() ? settings.waiting().strategy(inlet) :
                    settings.waiting().strategy();
                runners.add(new AgentRunner(idle, onError, null, new FailStop(
                    agents.size() == 1 ? agents.getFirst() : new CompositeAgent(agents))));
            }
        }
        catch (final IOException | RuntimeException failure)
        {
            lockFile.close();
            throw failure;
        }
        runners.forEach(runner -> AgentRunner.startOnThread(runner));
    }

    private FeedPublisher feed(final Transport transport, final Streams streams, final LiveSource source)
        throws IOException
    {
        // A market waits for none of those who watch it.
        final Sender incremental = transport.droppingSender(streams.feed());
        final Sender snapshots = transport.droppingSender(streams.feed() + 1);
        feedSenders.addAll(List.of(incremental, snapshots));
        return new FeedPublisher(() -> source, PublisherSettings.flatOut(1), incremental, snapshots,
            new BackoffIdleStrategy(0, 20, 10_000, 1_000_000));
    }

    private static FileChannel lock(final Path directory) throws IOException
    {
        final FileChannel file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
        FileLock lock;
        try
        {
            lock = file.tryLock();
        }
        catch (final OverlappingFileLockException sameProcess)
        {
            lock = null;
        }
        if (lock == null)
        {
            file.close();
            throw new IOException("another engine uses the journal " + directory + "; end it, or choose another " +
                "--journal");
        }
        return file;
    }

    /** What was read of the journal at the start. */
    public JournalReader.Summary recovered()
    {
        return recovered;
    }

    /** What it did since. */
    public EngineCounters counters()
    {
        return counters;
    }

    /** The state machine; to be looked at when the engine is closed. */
    public MatchingEngine matching()
    {
        return matching;
    }

    /** The feed, or null. */
    public FeedPublisher feed()
    {
        return feed;
    }

    @Override
    public void close() throws IOException
    {
        if (closed)
        {
            return;
        }
        closed = true;
        if (feed != null)
        {
            feed.stop();
        }
        CloseHelper.quietCloseAll(runners);
        try
        {
            if (feed != null)
            {
                feed.end();
            }
            journal.close();
            if (settings.snapshotAtEnd())
            {
                Snapshots.write(settings.journal(), journal.sequence(), matching);
            }
        }
        finally
        {
            CloseHelper.quietCloseAll(feedSenders);
            CloseHelper.quietCloseAll(inlet, reports, lockFile);
        }
    }
}
