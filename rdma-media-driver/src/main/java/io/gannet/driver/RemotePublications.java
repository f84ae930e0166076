package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.FanOutListener;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.rdma.RdmaException;
import java.util.HashMap;
import java.util.Map;

/**
 * Publications that go to other hosts: to one by {@code endpoint=}, which this driver connects to, or to whoever comes
 * to {@code control=}. Owned by the conductor.
 */
final class RemotePublications
{
    private final Replication replication;
    private final Addresses addresses;
    private final ChannelCheck channels;
    private final Map<Place, FanOutListener> fanOuts = new HashMap<>();

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
            ring.outbound(new Outbound(replication, stream, () -> release(place)));
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
            return fanOuts.computeIfAbsent(
                place, key -> replication.listenForSubscribers(addresses.ownAt(key.address().getPort())));
        }
        catch (final RdmaException failure)
        {
            throw new RefusedException(
                ErrorCode.INVALID_CHANNEL, "channel " + channel + ": " + failure.getMessage());
        }
    }

    private void release(final Place place)
    {
        final FanOutListener listener = fanOuts.get(place);
        if (listener != null && listener.isEmpty())
        {
            fanOuts.remove(place);
            replication.close(listener);
        }
    }

    /** Ring ids follow the driver's start in milliseconds, which drivers may share; the session starts at random. */
    private static long publicationId(final StreamRing ring)
    {
        final long id = ring.ringId() ^ ((long) ring.sessionId() << Integer.SIZE);
        return id == 0 ? 1 : id;
    }
}
