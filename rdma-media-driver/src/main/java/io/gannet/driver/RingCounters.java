package io.gannet.driver;

import io.gannet.counters.StreamKey;
import io.gannet.ring.RingKind;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Counts streams, and keeps sampled positions of publishers and subscribers where others can read them. Owned by the
 * conductor.
 */
final class RingCounters
{
    private final DriverCounters counters;
    private final Map<RingImage, AtomicCounter> imagePositions = new HashMap<>();

    RingCounters(final DriverCounters counters)
    {
        this.counters = counters;
    }

    AtomicCounter repairedBytes()
    {
        return counters.system(SystemCounter.BYTES_REPAIRED);
    }

    AtomicCounter dropped()
    {
        return counters.system(SystemCounter.IMAGES_DROPPED);
    }

    void ringAdded(final StreamRing ring)
    {
        add(SystemCounter.RINGS, 1);
        add(SystemCounter.RING_BYTES, ring.fileLength());
        ring.positionCounter(counters.allocate(
            (ring.kind() == RingKind.IMAGE ? "received position: " : "publication position: ") + describe(ring),
            StreamKey.PUBLICATION_POSITION,
            new StreamKey(ring.ringId(), ring.streamId(), ring.sessionId(), -1, 0).bytes()));
        if (ring.kind() != RingKind.IMAGE)
        {
            final byte[] key = new StreamKey(ring.ringId(), ring.streamId(), ring.sessionId(), -1, 0).bytes();
            ring.heldCounter(counters.allocate("publishers held back since, ns: " + describe(ring),
                StreamKey.PUBLICATION_HELD_SINCE, key));
            ring.heldTimeCounter(counters.allocate("publishers held back, sum, ns: " + describe(ring),
                StreamKey.PUBLICATION_HELD_NANOS, key));
        }
        // A ring of the driver before has its subscribers already.
        ring.images().forEach(this::imageAdded);
    }

    void ringRemoved(final StreamRing ring)
    {
        add(SystemCounter.RINGS, -1);
        add(SystemCounter.RING_BYTES, -ring.fileLength());
        if (ring.positionCounter() != null)
        {
            ring.positionCounter().close();
        }
        if (ring.heldCounter() != null)
        {
            ring.heldCounter().close();
        }
        if (ring.heldTimeCounter() != null)
        {
            ring.heldTimeCounter().close();
        }
    }

    void publicationAdded()
    {
        add(SystemCounter.PUBLICATIONS, 1);
    }

    void publicationRemoved()
    {
        add(SystemCounter.PUBLICATIONS, -1);
    }

    void subscriptionAdded()
    {
        add(SystemCounter.SUBSCRIPTIONS, 1);
    }

    void subscriptionRemoved()
    {
        add(SystemCounter.SUBSCRIPTIONS, -1);
    }

    void imageAdded(final RingImage image)
    {
        add(SystemCounter.IMAGES, 1);
        final AtomicCounter position = counters.allocate(
            "subscriber position: " + describe(image.ring) + ", client " + JournalEntry.hex(image.clientId),
            StreamKey.SUBSCRIBER_POSITION,
            new StreamKey(image.ring.ringId(), image.ring.streamId(), image.ring.sessionId(), image.gate,
                image.clientId).bytes());
        if (position != null)
        {
            // At once: until the next look it would seem to be behind by all that was ever published.
            position.setRelease(image.ring.gates().position(image.gate));
            imagePositions.put(image, position);
        }
    }

    void imageRemoved(final RingImage image)
    {
        add(SystemCounter.IMAGES, -1);
        final AtomicCounter position = imagePositions.remove(image);
        if (position != null)
        {
            position.close();
        }
    }

    void sample(final StreamRing ring)
    {
        if (ring.positionCounter() != null)
        {
            ring.positionCounter().setRelease(ring.position());
        }
        if (ring.heldCounter() != null)
        {
            ring.heldCounter().setRelease(ring.watch().heldSince());
        }
        if (ring.heldTimeCounter() != null)
        {
            ring.heldTimeCounter().setRelease(ring.watch().heldNanos());
        }
        for (int i = 0; i < ring.images().size(); i++)
        {
            final RingImage image = ring.images().get(i);
            final AtomicCounter position = imagePositions.get(image);
            if (position != null)
            {
                position.setRelease(ring.gates().position(image.gate));
            }
        }
    }

    private void add(final SystemCounter counter, final long change)
    {
        counters.system(counter).getAndAdd(change);
    }

    private static String describe(final StreamRing ring)
    {
        return ring.channel() + ", stream " + ring.streamId() + ", session " + ring.sessionId();
    }
}
