package io.gannet.driver;

import io.gannet.ring.RingKind;
import org.agrona.ErrorHandler;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The rings of the directory, by id. Owned by the conductor.
 */
final class RingTable
{
    private final RingMaker maker;
    private final StreamCounters counters;
    private final ErrorHandler errorHandler;
    private final Long2ObjectHashMap<StreamRing> rings = new Long2ObjectHashMap<>();

    RingTable(final RingMaker maker, final StreamCounters counters, final ErrorHandler errorHandler)
    {
        this.maker = maker;
        this.counters = counters;
        this.errorHandler = errorHandler;
    }

    void add(final StreamRing ring)
    {
        rings.put(ring.ringId(), ring);
        counters.ringAdded(ring);
    }

    /** Forgets a ring and removes its file and memory, later. */
    void destroy(final StreamRing ring)
    {
        forget(ring);
        remove(ring);
    }

    /** Forgets a ring whose file and memory stay for now. */
    void forget(final StreamRing ring)
    {
        rings.remove(ring.ringId());
        counters.ringRemoved(ring);
    }

    /** Removes file and memory of a ring that was forgotten, later. */
    void remove(final StreamRing ring)
    {
        maker.destroy(ring, errorHandler);
    }

    /** Null if there is none. */
    StreamRing get(final long ringId)
    {
        return rings.get(ringId);
    }

    /** Whether a ring is still here; if not, its memory may be unmapped by now. */
    boolean holds(final StreamRing ring)
    {
        return rings.get(ring.ringId()) == ring;
    }

    /** Not to be nested: the map has one iterator. */
    Iterable<StreamRing> all()
    {
        return rings.values();
    }

    boolean isSessionTaken(final int sessionId)
    {
        for (final StreamRing ring : rings.values())
        {
            if (ring.sessionId() == sessionId && ring.kind() != RingKind.IMAGE)
            {
                return true;
            }
        }
        return false;
    }
}
