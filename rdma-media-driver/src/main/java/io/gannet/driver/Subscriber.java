package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.ring.RingKind;
import java.util.ArrayList;
import java.util.List;

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

    /** Whether it has an image of a publication of another host, which may have ended but is not read to its end. */
    boolean reads(final long publicationId)
    {
        for (final RingImage image : images)
        {
            if (image.ring.kind() == RingKind.IMAGE && image.ring.origin().publicationId() == publicationId)
            {
                return true;
            }
        }
        return false;
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
