package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.FanOutListener;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.rdma.RdmaException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Object2ObjectHashMap;

/**
 * Publications that go to other hosts: to one by {@code endpoint=}, which this driver connects to, or to whoever comes
 * to {@code control=}. When the last publication of a control address has ended, hosts that were away are told so for
 * as long as they would wait for it. Owned by the conductor.
 */
final class RemotePublications
{
    private static final long CHECK_INTERVAL = TimeUnit.SECONDS.toNanos(1);
    /** Hosts may wait for longer than the publication's own channel says. */
    private static final long SHORTEST_LINGER = TimeUnit.MINUTES.toNanos(1);

    private final Replication replication;
    private final Addresses addresses;
    private final ChannelCheck channels;
    /** Their iterator is kept: the check makes no garbage. */
    private final Map<Place, FanOut> fanOuts = new Object2ObjectHashMap<>();
    private long nextCheck = System.nanoTime();

    /** A control address of this host. */
    private static final class FanOut
    {
        private final FanOutListener listener;
        private final int port;
        private long emptyUntil;

        FanOut(final FanOutListener listener, final int port)
        {
            this.listener = listener;
            this.port = port;
        }
    }

    RemotePublications(final Replication replication, final Addresses addresses, final ChannelCheck channels)
    {
        this.replication = replication;
        this.addresses = addresses;
        this.channels = channels;
    }

    /**
     * Starts to bring a publication to other hosts; subscribers of this one read the ring itself.
     *
     * @throws RefusedException if nobody can listen at its control address.
     */
    void publish(final StreamRing ring)
    {
        final Place place = ring.place();
        final Channel channel = ring.channel();
        final boolean dropsSlow = channel.slow() == Channel.SlowPolicy.DROP;
        if (place.fanOut())
        {
            final OutboundStream stream = replication.addPublication(ring.ring(), ring.membership(),
                publicationId(ring), fanOut(channel, place), dropsSlow, channels.settings(channel));
            ring.outbound(new Outbound(replication, stream, () -> release(place, channel)));
        }
        else if (!addresses.isOwn(place))
        {
            final OutboundStream stream = replication.addPublication(ring.ring(), ring.membership(),
                publicationId(ring), Addresses.named(channel), dropsSlow, channels.settings(channel));
            ring.outbound(new Outbound(replication, stream, () ->
            {
            }));
        }
    }

    private FanOutListener fanOut(final Channel channel, final Place place)
    {
        try
        {
            final FanOut known = fanOuts.get(place);
            if (known != null)
            {
                return known.listener;
            }
            final int port = place.address().getPort();
            giveUp(port);
            final FanOutListener made = replication.listenForSubscribers(addresses.ownAt(port));
            fanOuts.put(place, new FanOut(made, port));
            return made;
        }
        catch (final RdmaException failure)
        {
            throw new RefusedException(
                ErrorCode.INVALID_CHANNEL, "channel " + channel + ": " + failure.getMessage());
        }
    }

    private void release(final Place place, final Channel channel)
    {
        final FanOut fanOut = fanOuts.get(place);
        if (fanOut != null && fanOut.listener.isEmpty())
        {
            fanOut.emptyUntil = System.nanoTime() + Math.max(SHORTEST_LINGER, channel.imageTimeoutNanos());
        }
    }

    /** Lets go of addresses at which nobody can be told anything any more. */
    void check(final long now)
    {
        if (now - nextCheck < 0)
        {
            return;
        }
        nextCheck = now + CHECK_INTERVAL;
        final Iterator<FanOut> all = fanOuts.values().iterator();
        while (all.hasNext())
        {
            final FanOut fanOut = all.next();
            if (fanOut.listener.isEmpty() && now - fanOut.emptyUntil > 0)
            {
                replication.close(fanOut.listener);
                all.remove();
            }
        }
    }

    /** Somebody needs a port: nobody is told anything there any more, unless there is a publication. */
    void giveUp(final int port)
    {
        final Iterator<FanOut> all = fanOuts.values().iterator();
        while (all.hasNext())
        {
            final FanOut fanOut = all.next();
            if (fanOut.port == port && fanOut.listener.isEmpty())
            {
                replication.close(fanOut.listener);
                all.remove();
            }
        }
    }

    /** Ring ids follow the driver's start in milliseconds, which drivers may share; the session starts at random. */
    private static long publicationId(final StreamRing ring)
    {
        final long id = ring.ringId() ^ ((long) ring.sessionId() << Integer.SIZE);
        return id == 0 ? 1 : id;
    }
}
