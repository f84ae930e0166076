package io.gannet.driver;

import io.gannet.protocol.ImageEnd;

/**
 * Ends a ring that can't be used any more, without touching its memory: what can be done is to tell those who have it
 * and to keep it from everybody else. Owned by the conductor.
 */
final class LostRings
{
    private final RingTable rings;
    private final RingRepairs repairs;
    private final RingEnding ending;
    private final StreamCounters counters;
    private final DriverErrors errors;

    LostRings(
        final RingTable rings,
        final RingRepairs repairs,
        final RingEnding ending,
        final StreamCounters counters,
        final DriverErrors errors)
    {
        this.rings = rings;
        this.repairs = repairs;
        this.ending = ending;
        this.counters = counters;
        this.errors = errors;
    }

    /** The ring's memory is gone, as its file was truncated; unless it was a file of the driver itself. */
    void lose(final StreamRing ring, final InternalError fault)
    {
        if (!rings.holds(ring) || errors.isTheEnd())
        {
            return;
        }
        errors.onError(new DriverException(
            ring + " can't be read any more and ends here; was its file " + ring.fileName() + " truncated?", fault));
        repairs.forget(ring);
        ending.forget(ring);
        for (final RingImage image : ring.images())
        {
            counters.imageRemoved(image);
            if (image.subscriber() != null)
            {
                image.sendEnd(0, ImageEnd.NOT_ADOPTED);
                image.subscriber().images.remove(image);
            }
        }
        ring.images().clear();
        for (final RingUser user : ring.users())
        {
            counters.publicationRemoved();
            if (user.session() != null)
            {
                user.session().holdings().publicationLost(user.registrationId, ring);
            }
        }
        ring.users().clear();
        rings.destroy(ring);
    }
}
