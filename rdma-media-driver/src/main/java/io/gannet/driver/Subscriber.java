package io.gannet.driver;

import io.gannet.Channel;
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

    Subscriber(final ClientSession session, final long registrationId, final Channel channel, final int streamId)
    {
        this.session = session;
        this.registrationId = registrationId;
        this.channel = channel;
        this.streamId = streamId;
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
