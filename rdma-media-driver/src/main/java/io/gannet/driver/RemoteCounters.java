package io.gannet.driver;

import io.gannet.counters.RemoteStatistic;
import io.gannet.counters.StreamKey;
import io.gannet.driver.stream.ImageSession;
import io.gannet.driver.stream.RemoteSubscriber;
import io.gannet.driver.stream.StreamCounters;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Shows what is counted of streams to and from other hosts in the control file. Owned by the conductor.
 */
final class RemoteCounters
{
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Rings looked at in one duty cycle. */
    private static final int MOST_AT_ONCE = Streams.MOST_AT_ONCE;

    private static final RemoteStatistic[] STATISTICS = RemoteStatistic.values();

    private final DriverCounters counters;
    private final Map<StreamCounters, Shown> shown = new HashMap<>();
    private long round;
    private int live;
    /** Of this round; past all rings between two rounds. */
    private int next = Integer.MAX_VALUE;
    private long nextNanos = System.nanoTime();

    /** The counters of one host of one ring. */
    private static final class Shown
    {
        private final InetSocketAddress host;
        /** Null at those for which there was no room. */
        private final AtomicCounter[] values = new AtomicCounter[STATISTICS.length];
        /** In which the host was there last. */
        private long round;

        Shown(final InetSocketAddress host)
        {
            this.host = host;
        }

        void close()
        {
            for (final AtomicCounter value : values)
            {
                if (value != null)
                {
                    value.close();
                }
            }
        }
    }

    RemoteCounters(final DriverCounters counters)
    {
        this.counters = counters;
    }

    /** Looks at a few rings; returns how many, 0 between two rounds. */
    int onTime(final long now, final List<StreamRing> rings, final RemoteImages images)
    {
        if (next > rings.size())
        {
            if (now - nextNanos < 0)
            {
                return 0;
            }
            nextNanos = now + INTERVAL_NANOS;
            round++;
            live = 0;
            next = 0;
        }
        int looked = 0;
        while (looked < MOST_AT_ONCE && next < rings.size())
        {
            look(rings.get(next++), images);
            looked++;
        }
        if (next < rings.size())
        {
            return looked;
        }
        next = Integer.MAX_VALUE;
        // No iterator as long as nothing changes: the conductor makes no garbage then.
        if (live != shown.size())
        {
            removeGone();
        }
        return 0;
    }

    private void look(final StreamRing ring, final RemoteImages images)
    {
        if (ring.outbound() != null)
        {
            final List<RemoteSubscriber> subscribers = ring.outbound().stream().subscribers();
            for (int i = 0; i < subscribers.size(); i++)
            {
                final RemoteSubscriber subscriber = subscribers.get(i);
                show(ring, "to ", subscriber.address(), subscriber.isJoined(), subscriber.counters());
            }
        }
        final ImageSession image = images.session(ring);
        if (image != null)
        {
            show(ring, "from ", image.publisher(), true, image.counters());
        }
    }

    private void removeGone()
    {
        shown.values().removeIf(entry ->
        {
            final boolean gone = entry.round != round;
            if (gone)
            {
                entry.close();
            }
            return gone;
        });
    }

    private void show(
        final StreamRing ring,
        final String direction,
        final InetSocketAddress host,
        final boolean joined,
        final StreamCounters values)
    {
        if (!joined)
        {
            return;
        }
        Shown entry = shown.get(values);
        if (entry != null && !entry.host.equals(host))
        {
            entry.close();
            entry = null;
        }
        if (entry == null)
        {
            entry = allocate(ring, direction, host);
            shown.put(values, entry);
        }
        entry.round = round;
        live++;
        for (int i = 0; i < STATISTICS.length; i++)
        {
            if (entry.values[i] != null)
            {
                // Release: for readers of the control file.
                entry.values[i].setRelease(valueOf(STATISTICS[i], values, ring.position()));
            }
        }
    }

    /** Those for which no counter is left are not shown. */
    private Shown allocate(final StreamRing ring, final String direction, final InetSocketAddress host)
    {
        final Shown entry = new Shown(host);
        final String text = Addresses.text(host);
        final byte[] key = new StreamKey(
            ring.ringId(), ring.streamId(), ring.sessionId(), -1, text.hashCode()).bytes();
        for (int i = 0; i < STATISTICS.length; i++)
        {
            final RemoteStatistic statistic = STATISTICS[i];
            entry.values[i] = counters.allocate(
                direction + text + ": " + statistic.label() + ": " + ring.channel() + ", stream " + ring.streamId() +
                    ", session " + ring.sessionId(), statistic.typeId(), key);
        }
        return entry;
    }

    /** The driver closes. */
    void close()
    {
        shown.values().forEach(Shown::close);
        shown.clear();
    }

    /** A statistic of a stream whose ring has come to {@code position}. */
    private static long valueOf(final RemoteStatistic statistic, final StreamCounters counters, final long position)
    {
        return switch (statistic)
        {
            case CONSUMED -> counters.consumed();
            case POSITION -> counters.position();
            case BYTES -> counters.bytes();
            case MESSAGES -> counters.messages();
            case REQUESTS -> counters.requests();
            case POSTS -> counters.doorbells();
            case INLINE -> counters.inlineRequests();
            case SIGNALED -> counters.signaledRequests();
            case OUTSTANDING -> counters.outstanding();
            case CREDITS -> counters.credits();
            case RNR -> counters.rnrErrors();
            case RECONNECTS -> counters.reconnects();
            case IGNORED -> counters.ignoredFeedback();
            case HOLD -> switch (counters.hold())
            {
                case NONE -> 0;
                case SUBSCRIBER -> 1;
                case CREDITS -> 2;
                case DEVICE -> 3;
                case CONNECTION -> 4;
            };
            case HELD_SINCE -> counters.holdSince();
            case POLLS -> counters.completionPolls();
            case EMPTY_POLLS -> counters.emptyCompletionPolls();
            case FETCHED -> counters.fetchedBytes();
            case LAG -> Math.max(0, position - counters.consumed());
        };
    }
}
