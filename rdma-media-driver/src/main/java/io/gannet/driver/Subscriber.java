package io.gannet.driver;

import io.gannet.Channel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One subscription of one client, as the conductor knows it.
 */
final class Subscriber
{
    final ClientSession session;
    final long registrationId;
    final Channel channel;
    final int streamId;
    final List<RingImage> images = new ArrayList<>();
    /** Publications of other hosts that it was reading when their image broke off. */
    final Set<Long> interrupted = new HashSet<>();
    private Place place;
    private boolean open;

    Subscriber(final ClientSession session, final long registrationId, final Channel channel, final int streamId)
    {
        this.session = session;
        this.registrationId = registrationId;
        this.channel = channel;
        this.streamId = streamId;
    }

    /** Where its channel meets publishers, or null. */
    Place place()
    {
        return place;
    }

    void place(final Place resolved)
    {
        place = resolved;
    }

    /** Whether its client knows that it is there, so that it may get images. */
    boolean isOpen()
    {
        return open;
    }

    void opened()
    {
        open = true;
    }

    /** Whether it takes publications of other hosts that come in at an address. */
    boolean wants(final Place target, final int stream, final int session)
    {
        return open && streamId == stream && target.equals(place) &&
            (channel.sessionId() == null || channel.sessionId() == session);
    }

    /** The image of a ring, or null. */
    RingImage imageOf(final long ringId)
    {
        for (final RingImage image : images)
        {
            if (image.ring.ringId() == ringId)
            {
                return image;
            }
        }
        return null;
    }
}
