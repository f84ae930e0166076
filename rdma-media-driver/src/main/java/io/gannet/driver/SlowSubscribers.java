package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.protocol.ImageEnd;
import io.gannet.ring.RingLayout;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Cuts off subscribers of rings with {@code slow=drop} that are three quarters of the window behind, so that the
 * publisher seldom has to wait for them; between two polls, never inside a handler. The reader is told where it ended,
 * and joins again at the live position when it has let go. Owned by the conductor.
 */
final class SlowSubscribers
{
    private final AtomicCounter dropped;

    SlowSubscribers(final AtomicCounter dropped)
    {
        this.dropped = dropped;
    }

    /** Looks at one ring; returns how many subscribers were cut off. */
    int check(final StreamRing ring)
    {
        if (ring.channel().slow() != Channel.SlowPolicy.DROP)
        {
            return 0;
        }
        final long limit =
            ring.sampledPosition() - RingLayout.window(ring.kind(), ring.ring().capacity()) / 4L * 3L;
        int count = 0;
        for (int i = 0; i < ring.images().size(); i++)
        {
            final RingImage image = ring.images().get(i);
            if (image.subscriber() != null && image.droppedAt() == RingImage.NOT_DROPPED && !image.endSent())
            {
                count += check(image, limit);
            }
        }
        return count;
    }

    private int check(final RingImage image, final long limit)
    {
        if (!image.isDropRequested())
        {
            if (image.ring.gates().position(image.gate) >= limit)
            {
                return 0;
            }
            image.ring.membership().requestDrop(image.gate);
            image.dropWasRequested();
        }
        if (!image.ring.membership().tryDrop(image.gate))
        {
            return 0;
        }
        image.wasDroppedAt(image.ring.membership().leftAt());
        dropped.getAndAdd(1);
        image.sendEnd(image.droppedAt(), ImageEnd.CUT_OFF);
        return 1;
    }
}
