package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.ring.RingKind;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The rings of the directory, by id. Owned by the conductor.
 */
final class RingTable
{
    private final RingMaker maker;
    private final RingCounters counters;
    private final ErrorHandler errorHandler;
    private final Long2ObjectHashMap<StreamRing> rings = new Long2ObjectHashMap<>();
    /** The same rings, for those who look at a few of them at a time. */
    private final List<StreamRing> list = new ArrayList<>();
    /** Those of them whose slow subscribers are cut off. */
    private final List<StreamRing> dropping = new ArrayList<>();

    RingTable(final RingMaker maker, final RingCounters counters, final ErrorHandler errorHandler)
    {
        this.maker = maker;
        this.counters = counters;
        this.errorHandler = errorHandler;
    }

    void add(final StreamRing ring)
    {
        rings.put(ring.ringId(), ring);
        list.add(ring);
        if (ring.channel().slow() == Channel.SlowPolicy.DROP)
        {
            dropping.add(ring);
        }
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
        ring.watch().end();
        rings.remove(ring.ringId());
        remove(list, ring);
        remove(dropping, ring);
        counters.ringRemoved(ring);
    }

    /** The last one takes its place, so that whoever is at it misses none but perhaps that one, this time. */
    private static void remove(final List<StreamRing> from, final StreamRing ring)
    {
        final int index = from.indexOf(ring);
        if (index >= 0)
        {
            final StreamRing last = from.removeLast();
            if (index < from.size())
            {
                from.set(index, last);
            }
        }
    }

    /** Removes file and memory of a ring that was forgotten, later. */
    void remove(final StreamRing ring)
    {
        maker.condemn(ring);
    }

    /** Removes what is to be removed. Only from where nobody is in the middle of something with a ring. */
    int poll()
    {
        return maker.destroyCondemned(errorHandler);
    }

    /** Null if there is none. */
    StreamRing get(final long ringId)
    {
        return rings.get(ringId);
    }

    /** Whether a ring is still here; if not, its memory goes when the conductor is through with what it does now. */
    boolean holds(final StreamRing ring)
    {
        return rings.get(ring.ringId()) == ring;
    }

    /**
     * Finds whose file was truncated when a mapping faulted: often not the ring that was being looked at, as compiled
     * code throws late.
     *
     * @param suspect is looked at first.
     * @return null if it is none.
     */
    StreamRing truncated(final StreamRing suspect)
    {
        return suspect != null && holds(suspect) && maker.isTruncated(suspect) ? suspect :
            list.stream().filter(maker::isTruncated).findFirst().orElse(null);
    }

    /** All of them; the order changes when one goes. */
    List<StreamRing> list()
    {
        return list;
    }

    /** Those whose slow subscribers are cut off. */
    List<StreamRing> dropping()
    {
        return dropping;
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
