package io.gannet.driver;

import io.gannet.driver.stream.ImageSession;
import io.gannet.driver.stream.RemoteSubscriber;
import io.gannet.driver.stream.StreamCounters;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Shows what is counted of streams to and from other hosts in the control file. Owned by the conductor.
 */
final class RemoteCounters
{
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final DriverCounters counters;
    private final Map<StreamCounters, Shown> shown = new HashMap<>();
    private final Set<StreamCounters> live = new HashSet<>();
    private long nextNanos = System.nanoTime();

    /** The counters of one host of one ring. */
    private static final class Shown
    {
        private final InetSocketAddress host;
        private final Map<RemoteStatistic, AtomicCounter> values = new EnumMap<>(RemoteStatistic.class);

        Shown(final InetSocketAddress host)
        {
            this.host = host;
        }

        void close()
        {
            values.values().forEach(AtomicCounter::close);
        }
    }

    RemoteCounters(final DriverCounters counters)
    {
        this.counters = counters;
    }

    void onTime(final long now, final Iterable<StreamRing> rings, final RemoteImages images)
    {
        if (now - nextNanos < 0)
        {
            return;
        }
        nextNanos = now + INTERVAL_NANOS;
        live.clear();
        for (final StreamRing ring : rings)
        {
            if (ring.outbound() != null)
            {
                for (final RemoteSubscriber subscriber : ring.outbound().stream().subscribers())
                {
                    show(ring, "to ", subscriber.address(), subscriber.isJoined(), subscriber.counters());
                }
            }
            final ImageSession image = images.session(ring);
            if (image != null)
            {
                show(ring, "from ", image.publisher(), true, image.counters());
            }
        }
        shown.entrySet().removeIf(entry ->
        {
            final boolean gone = !live.contains(entry.getKey());
            if (gone)
            {
                entry.getValue().close();
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
        live.add(values);
        // Release: for readers of the control file.
        entry.values.forEach((statistic, value) -> value.setRelease(statistic.valueIn(values)));
    }

    /** Those for which no counter is left are not shown. */
    private Shown allocate(final StreamRing ring, final String direction, final InetSocketAddress host)
    {
        final Shown entry = new Shown(host);
        final String text = Addresses.text(host);
        final byte[] key = new StreamKey(
            ring.ringId(), ring.streamId(), ring.sessionId(), -1, text.hashCode()).bytes();
        for (final RemoteStatistic statistic : RemoteStatistic.values())
        {
            final AtomicCounter value = counters.allocate(
                direction + text + ": " + statistic.label() + ": " + ring.channel() + ", stream " + ring.streamId() +
                    ", session " + ring.sessionId(), statistic.typeId(), key);
            if (value != null)
            {
                entry.values.put(statistic, value);
            }
        }
        return entry;
    }

    /** The driver closes. */
    void close()
    {
        shown.values().forEach(Shown::close);
        shown.clear();
    }
}
