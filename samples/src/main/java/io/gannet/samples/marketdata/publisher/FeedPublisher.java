package io.gannet.samples.marketdata.publisher;

import io.gannet.marketdata.ResetReason;
import io.gannet.samples.UtcClock;
import io.gannet.samples.marketdata.book.OrderBook;
import io.gannet.samples.marketdata.source.FeedEvent;
import io.gannet.samples.marketdata.source.FeedSource;
import io.gannet.samples.marketdata.source.Instrument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.IdleStrategy;

/**
 * Publishes a source: step by step, by one thread. Each message of the incremental stream has the next sequence number,
 * each entry the next of its instrument; both go on when nobody listens, as a market does. Does not allocate between
 * the opening of one source and the next, except for a new instrument.
 */
public final class FeedPublisher implements AutoCloseable
{
    private static final int BUSY_STEPS = 64;
    private static final long LIVE_WAIT_NANOS = 1_000_000;

    private final SourceSupplier supplier;
    private final PublisherSettings settings;
    private final NumberedOutlet outlet;
    private final SnapshotFeed snapshots;
    private final UtcClock clock = new UtcClock();
    private final Pace pace;
    private final PublisherCounters counters = new PublisherCounters();
    private final List<InstrumentState> instruments = new ArrayList<>();
    private final EventApplier applier = new EventApplier();
    private final MessageWriter writer = new MessageWriter();
    private final EntryBatch batch = new EntryBatch();
    private final LevelBatch levels = new LevelBatch();
    private FeedSource source;
    private FeedEvent event = new FeedEvent();
    private FeedEvent spare = new FeedEvent();
    private boolean hasEvent;
    private int busySteps;
    private boolean done;

    /**
     * @param supplier         opens the source, once per loop.
     * @param settings         how to publish it.
     * @param outlet           the incremental stream.
     * @param snapshotOutlet   the snapshot stream.
     * @param backPressureIdle idles while there is no room in the ring.
     */
    public FeedPublisher(
        final SourceSupplier supplier,
        final PublisherSettings settings,
        final Outlet outlet,
        final Outlet snapshotOutlet,
        final IdleStrategy backPressureIdle)
        throws IOException
    {
        this.supplier = supplier;
        this.settings = settings;
        this.outlet = new NumberedOutlet(outlet, backPressureIdle, counters, settings.skipEvery());
        pace = new Pace(settings.speed(), settings.rate());
        snapshots = new SnapshotFeed(snapshotOutlet, instruments, settings.snapshotNanos(), counters);
        source = supplier.open();
        this.outlet.lastSent(clock.nanos());
        hasEvent = source.next(event);
    }

    /**
     * Publishes what is due: at most one message of the incremental stream and one of the snapshot stream.
     *
     * @return nanoseconds until the next event is due; 0: call again at once.
     */
    public long doWork() throws IOException
    {
        if (done)
        {
            return chores(clock.nanos()) ? 0 : Long.MAX_VALUE;
        }
        if (!hasEvent && source.isLive())
        {
            hasEvent = source.next(event);
            if (!hasEvent)
            {
                return chores(clock.nanos()) ? 0 : LIVE_WAIT_NANOS;
            }
        }
        if (!hasEvent)
        {
            endOfSource();
            return 0;
        }
        final long now = clock.nanos();
        final long intended = pace.intended(event, now);
        if (intended > now)
        {
            return chores(now) ? 0 : intended - now;
        }
        publish(intended);
        if (++busySteps >= BUSY_STEPS)
        {
            chores(now);
        }
        return 0;
    }

    /** Whether everything has been published; steps then only serve snapshots. */
    public boolean isDone()
    {
        return done;
    }

    /** Ends waiting for room in the ring; what waits is dropped. Callable from any thread. */
    public void stop()
    {
        outlet.stop();
    }

    /** What was done so far. */
    public PublisherCounters counters()
    {
        return counters;
    }

    /** Events that didn't fit the publisher's book and weren't published. */
    public long inconsistentEvents()
    {
        return applier.inconsistent();
    }

    /** Last sequence number of the incremental stream. */
    public long lastSequence()
    {
        return outlet.sequence();
    }

    /** Number of instruments. */
    public int instrumentCount()
    {
        return instruments.size();
    }

    /** An instrument by its index. */
    public Instrument instrument(final int index)
    {
        return instruments.get(index).info;
    }

    /** The publisher's own book of an instrument. */
    public OrderBook book(final int index)
    {
        return instruments.get(index).book;
    }

    /** One line on the source. */
    public String sourceSummary()
    {
        return source.summary();
    }

    private boolean chores(final long now)
    {
        busySteps = 0;
        // Also if the clock was set back since.
        if (Math.abs(now - outlet.lastSent()) >= settings.heartbeatNanos())
        {
            signOfLife(now);
        }
        return snapshots.doWork(outlet.sequence(), now);
    }

    /** A heartbeat; after the end the last message again, under its number, for those who joined too late for it. */
    private void signOfLife(final long now)
    {
        outlet.lastSent(now);
        if (!outlet.tryClaim(done ? MessageWriter.lengthOfReset() : MessageWriter.lengthOfHeartbeat()))
        {
            return;
        }
        if (done)
        {
            writer.writeReset(outlet.buffer(), outlet.offset(), null, ResetReason.EndOfFeed, outlet.sequence(), now,
                now);
        }
        else
        {
            writer.writeHeartbeat(outlet.buffer(), outlet.offset(), outlet.sequence(), now);
            counters.heartbeats++;
        }
        outlet.commit(now);
    }

    private void publish(final long intended) throws IOException
    {
        final InstrumentState instrument = instrument(event, intended);
        switch (event.type)
        {
            case CLEAR ->
            {
                instrument.book.clear();
                reset(instrument.info, ResetReason.BookCleared, event.transactTime, intended);
                take();
            }
            case STATUS ->
            {
                instrument.status = event.status;
                if (claimNext(MessageWriter.lengthOfStatus()))
                {
                    writer.writeStatus(outlet.buffer(), outlet.offset(), instrument.info.id(), event.status,
                        outlet.sequence(), event.transactTime, intended);
                    outlet.commit(intended);
                }
                take();
            }
            default -> publishEntries(intended);
        }
    }

    private void publishEntries(final long intended) throws IOException
    {
        final EntryBatch.Kind kind = EventApplier.kind(event);
        batch.clear();
        levels.clear();
        batch.opening = event.opening;
        batch.transactTime = event.transactTime;
        boolean more;
        do
        {
            final InstrumentState instrument = instrument(event, intended);
            if (settings.levels() && kind == EntryBatch.Kind.ORDERS)
            {
                EventApplier.touch(event, instrument, levels);
            }
            batch.kind = kind;
            applier.apply(event, instrument, batch);
            batch.endOfEvent = event.endOfEvent;
            final boolean goesOn = !event.endOfEvent || event.opening;
            take();
            more = goesOn && hasEvent && EventApplier.kind(event) == kind &&
                batch.accepts(kind, event.type == FeedEvent.Type.TRADE, event.opening);
        }
        while (more);
        if (batch.size > 0)
        {
            sendEntries(intended);
        }
    }

    private void sendEntries(final long intended)
    {
        final boolean withLevels = settings.levels() && batch.kind == EntryBatch.Kind.ORDERS;
        if (claimNext(MessageWriter.length(batch)))
        {
            writer.write(outlet.buffer(), outlet.offset(), batch, batch.endOfEvent && !withLevels, outlet.sequence(),
                intended);
            outlet.commit(intended);
        }
        count();
        if (withLevels)
        {
            levels.resolve();
            counters.levels += levels.size;
            if (claimNext(MessageWriter.lengthOfLevels(levels)))
            {
                writer.writeLevels(outlet.buffer(), outlet.offset(), levels, batch, outlet.sequence(), intended);
                outlet.commit(intended);
            }
        }
    }

    private void count()
    {
        for (int i = 0; i < batch.size; i++)
        {
            switch (batch.action[i])
            {
                case NEW -> counters.adds++;
                case CHANGE -> counters.changes++;
                case DELETE -> counters.deletes++;
                case TRADE -> counters.trades++;
                case FILL -> counters.fills++;
            }
        }
    }

    /** Goes to the next event. */
    private void take() throws IOException
    {
        pace.taken(event);
        final FeedEvent taken = event;
        event = spare;
        spare = taken;
        hasEvent = source.next(event);
    }

    private InstrumentState instrument(final FeedEvent current, final long intended)
    {
        while (instruments.size() <= current.instrument)
        {
            final Instrument info = source.instruments().get(instruments.size());
            final InstrumentState added = new InstrumentState(info, source.expectedOrders());
            instruments.add(added);
            define(added, current.transactTime, intended);
        }
        return instruments.get(current.instrument);
    }

    private void define(final InstrumentState instrument, final long transactTime, final long intended)
    {
        if (claimNext(MessageWriter.lengthOfDefinition()))
        {
            writer.writeDefinition(outlet.buffer(), outlet.offset(), instrument.info, instrument.status,
                instruments.size(), outlet.sequence(), transactTime, intended);
            outlet.commit(intended);
        }
    }

    private void endOfSource() throws IOException
    {
        final long now = clock.nanos();
        counters.loops++;
        if (outlet.isStopping() || (settings.loops() > 0 && counters.loops >= settings.loops()))
        {
            end(now);
            return;
        }
        source.close();
        source = supplier.open();
        snapshots.abandon();
        instruments.forEach(InstrumentState::reset);
        reset(null, ResetReason.Restart, now, now);
        for (final InstrumentState instrument : instruments)
        {
            define(instrument, now, now);
        }
        pace.restart();
        hasEvent = source.next(event);
    }

    /** Says that nothing follows. The books stay as they are. */
    public void end()
    {
        if (!done)
        {
            end(clock.nanos());
        }
    }

    private void end(final long now)
    {
        reset(null, ResetReason.EndOfFeed, now, now);
        done = true;
    }

    private void reset(
        final Instrument instrument, final ResetReason reason, final long transactTime, final long intended)
    {
        if (claimNext(MessageWriter.lengthOfReset()))
        {
            writer.writeReset(outlet.buffer(), outlet.offset(), instrument, reason, outlet.sequence(), transactTime,
                intended);
            outlet.commit(intended);
        }
        counters.resets++;
    }

    /** A message that nothing follows is never left out: nobody would notice. */
    private boolean claimNext(final int length)
    {
        return outlet.claimNext(length, hasEvent);
    }

    @Override
    public void close() throws IOException
    {
        source.close();
    }
}
