package io.gannet.driver;

import io.gannet.errors.OperatorError;
import io.gannet.os.LateFault;
import io.gannet.protocol.ImageEnd;
import io.gannet.ring.RingKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a ring that can't be used any more, without touching its memory: what can be done is to tell those who have it
 * and to keep it from everybody else. Owned by the conductor.
 */
final class LostRings
{
    private final RingTable rings;
    private final RingRepairs repairs;
    private final RingEnding ending;
    private final RingCounters counters;
    private final BrokenImages broken;
    private final DriverErrors errors;
    private final List<StreamRing> leaving = new ArrayList<>();

    LostRings(
        final RingTable rings,
        final RingRepairs repairs,
        final RingEnding ending,
        final RingCounters counters,
        final BrokenImages broken,
        final DriverErrors errors)
    {
        this.rings = rings;
        this.repairs = repairs;
        this.ending = ending;
        this.counters = counters;
        this.broken = broken;
        this.errors = errors;
    }

    /**
     * A ring's memory is gone, as its file was truncated; unless it was a file of the driver itself, or of a client.
     *
     * @param suspect what was being looked at when the fault came up.
     */
    void lose(final StreamRing suspect, final InternalError fault)
    {
        if (errors.isTheEnd())
        {
            return;
        }
        final StreamRing ring = rings.truncated(suspect);
        if (ring == null)
        {
            throw fault;
        }
        if (rings.holds(ring))
        {
            final String reason = "it can't be read any more; was its file " + ring.fileName() + " truncated?";
            errors.onError(new DriverException(OperatorError.RING_LOST, describe(ring, reason), fault));
            // What still reads it, in this process, finds zeroes.
            ring.ring().close();
            LateFault.discard();
            end(ring, reason);
        }
    }

    /**
     * The ring holds what can't be there.
     *
     * @param problem completes "it is damaged: ".
     */
    void damaged(final StreamRing ring, final String problem)
    {
        if (rings.holds(ring))
        {
            final String reason = "it is damaged: " + problem +
                ". Something other than Gannet wrote into " + ring.fileName();
            ring.sampleDamaged();
            errors.onError(new DriverException(OperatorError.RING_LOST, describe(ring, reason)));
            end(ring, reason);
        }
    }

    private static String describe(final StreamRing ring, final String reason)
    {
        return ring + " ends here, at " + ring.position() + " or a little further on: " + reason;
    }

    private void end(final StreamRing ring, final String reason)
    {
        repairs.forget(ring);
        ending.forget(ring);
        if (ring.kind() == RingKind.IMAGE)
        {
            broken.add(ring.origin().publicationId(), ring.position(), ring.images());
        }
        for (final RingImage image : ring.images())
        {
            counters.imageRemoved(image);
            if (image.subscriber() != null)
            {
                // Its client knows how far it has read, and so what is lost.
                image.sendEnd(ring.position(), ImageEnd.NOT_ADOPTED);
                image.subscriber().images.remove(image);
            }
        }
        ring.images().clear();
        for (final RingUser user : ring.users())
        {
            counters.publicationRemoved();
            if (user.session() != null)
            {
                user.session().holdings().publicationLost(user.registrationId, ring, reason);
            }
        }
        ring.users().clear();
        letGo(ring);
    }

    /** Replication may still be in the ring's memory, on other threads: it goes first. */
    private void letGo(final StreamRing ring)
    {
        if (ring.kind() == RingKind.IMAGE)
        {
            rings.forget(ring);
            ring.unread();
        }
        else if (ring.outbound() == null)
        {
            rings.destroy(ring);
        }
        else
        {
            rings.forget(ring);
            ring.outbound().abandon();
            leaving.add(ring);
        }
    }

    /** Removes rings that replication has let go of. */
    int poll()
    {
        int work = 0;
        for (int i = leaving.size() - 1; i >= 0; i--)
        {
            if (leaving.get(i).outbound().isDone())
            {
                rings.remove(leaving.remove(i));
                work++;
            }
        }
        return work;
    }
}
