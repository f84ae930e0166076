package io.gannet.samples.marketdata.subscriber;

import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Header;
import io.gannet.Subscription;
import io.gannet.samples.UtcClock;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;
import org.agrona.DirectBuffer;

/**
 * Follows a feed over Gannet: polls the incremental stream, and the snapshot stream while it recovers. Used by one
 * thread; the latency recorder may be read by another.
 */
public final class FeedSubscriber implements AutoCloseable
{
    /** Latencies are recorded up to a minute, to three digits. */
    public static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Gannet client;
    private final String channel;
    private final int snapshotStreamId;
    private final Subscription subscription;
    private final UtcClock clock = new UtcClock();
    private final SingleWriterRecorder latency = new SingleWriterRecorder(1, MAX_LATENCY_NANOS, 3);
    private final FeedHandler handler = new FeedHandler(this::onApplied);
    private final FragmentHandler incremental = this::onIncremental;
    private final FragmentHandler snapshot =
        (buffer, offset, length, header) -> handler.onSnapshot(buffer, offset, length);
    private Subscription snapshots;
    private int session;
    private boolean hasSession;
    private long clockSteps;

    /**
     * @param client   owned by the caller.
     * @param channel  of the feed.
     * @param streamId of the incremental stream; the snapshot stream is the next.
     */
    public FeedSubscriber(final Gannet client, final String channel, final int streamId)
    {
        this.client = client;
        this.channel = channel;
        this.snapshotStreamId = streamId + 1;
        this.subscription = client.addSubscription(channel, streamId);
    }

    /** Takes what is there, at most {@code limit} messages of each stream; returns how many. */
    public int poll(final int limit)
    {
        int polled = subscription.poll(incremental, limit);
        if (handler.state() == FeedHandler.State.RECOVERING)
        {
            if (snapshots == null)
            {
                // Listening is the request for a snapshot.
                snapshots = client.addSubscription(channel, snapshotStreamId);
            }
            polled += snapshots.poll(snapshot, limit);
        }
        else if (snapshots != null)
        {
            snapshots.close();
            snapshots = null;
        }
        return polled;
    }

    /** Sleeps until there may be a message; at once back while recovering. */
    public void await(final long timeoutNanos)
    {
        if (snapshots == null)
        {
            subscription.awaitMessage(timeoutNanos, TimeUnit.NANOSECONDS);
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /** The state of the feed. */
    public FeedHandler handler()
    {
        return handler;
    }

    /** Whether there is a publisher. */
    public boolean isConnected()
    {
        return subscription.isConnected();
    }

    /** Latencies of market events from their intended time, in nanoseconds. */
    public SingleWriterRecorder latency()
    {
        return latency;
    }

    /** Messages that came before they were meant to: somebody set the clock back. Not recorded. */
    public long clockSteps()
    {
        return clockSteps;
    }

    private void onIncremental(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (header.sessionId() != session || !hasSession)
        {
            if (hasSession && subscription.imageBySessionId(session) != null)
            {
                // A second publisher of the same stream would look like damage.
                handler.counters().foreign++;
                return;
            }
            if (hasSession)
            {
                handler.onNewPublisher();
            }
            hasSession = true;
            session = header.sessionId();
        }
        handler.onIncremental(buffer, offset, length);
    }

    private void onApplied(final long sendingTime, final boolean live)
    {
        if (live)
        {
            final long nanos = clock.nanos() - sendingTime;
            if (nanos < 0)
            {
                clockSteps++;
            }
            else
            {
                latency.recordValue(Math.min(nanos, MAX_LATENCY_NANOS));
            }
        }
    }

    @Override
    public void close()
    {
        if (snapshots != null)
        {
            snapshots.close();
        }
        subscription.close();
    }
}
