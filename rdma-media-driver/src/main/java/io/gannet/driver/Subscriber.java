package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.ring.RingKind;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongHashSet;

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
    /** Where it was cut off, by ring, until it joins again. */
    private final Long2LongHashMap missedFrom = new Long2LongHashMap(RingImage.NOT_DROPPED);
    /** Rings that its client could not read from the first frame on. */
    private final LongHashSet unreadable = new LongHashSet();
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

    /** It was cut off there, and is to be told when it joins again. */
    void missesFrom(final long ringId, final long position)
    {
        missedFrom.put(ringId, position);
    }

    /** Where it was cut off, {@link RingImage#NOT_DROPPED} if it wasn't; only once. */
    long takeMissed(final long ringId)
    {
        return missedFrom.remove(ringId);
    }

    /** Its client has given the image of a ring back without reading anything: it would do so again. */
    void cannotRead(final long ringId)
    {
        unreadable.add(ringId);
    }

    boolean canRead(final long ringId)
    {
        return !unreadable.contains(ringId);
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
