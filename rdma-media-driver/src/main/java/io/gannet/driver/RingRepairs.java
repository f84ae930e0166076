package io.gannet.driver;

import io.gannet.ring.Bell;
import io.gannet.ring.HoleRepair;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Fills the holes that publishers left in concurrent rings, for as long as it takes to tell a dead claim from a living
 * one. Owned by the conductor.
 */
final class RingRepairs
{
    private final Map<StreamRing, HoleRepair> pending = new HashMap<>();
    private final Bell.Waker waker;
    private final AtomicCounter repairedBytes;
    private final ErrorHandler errorHandler;

    /**
     * @param waker of those who sleep until a ring has more: what stands behind a hole can be read when it is filled.
     */
    RingRepairs(final Bell.Waker waker, final AtomicCounter repairedBytes, final ErrorHandler errorHandler)
    {
        this.waker = waker;
        this.repairedBytes = repairedBytes;
        this.errorHandler = errorHandler;
    }

    /** A publisher of the ring is gone, perhaps in the middle of a claim. */
    void start(final StreamRing ring)
    {
        final HoleRepair repair = pending.computeIfAbsent(
            ring, key -> new HoleRepair(key.ring(), waker));
        if (isDone(ring, repair))
        {
            pending.remove(ring);
        }
    }

    boolean isPending(final StreamRing ring)
    {
        return pending.containsKey(ring);
    }

    /** The ring is going. */
    void forget(final StreamRing ring)
    {
        pending.remove(ring);
    }

    int poll()
    {
        if (pending.isEmpty())
        {
            return 0;
        }
        int done = 0;
        for (final Iterator<Map.Entry<StreamRing, HoleRepair>> all = pending.entrySet().iterator(); all.hasNext();)
        {
            final Map.Entry<StreamRing, HoleRepair> entry = all.next();
            if (isDone(entry.getKey(), entry.getValue()))
            {
                all.remove();
                done++;
            }
        }
        return done;
    }

    /**
     * A client without a publication of the ring has unmapped it or is dead: none of its stores can come any more. Its
     * publication is entered before it learns where the ring is, and removed after it has given its claim slots back;
     * so one that closes and adds the same stream again while a repair goes on counts as living from the add on, and
     * its claims are never taken for those that it had before.
     */
    private boolean isDone(final StreamRing ring, final HoleRepair repair)
    {
        final long before = repair.paddedBytes();
        try
        {
            return repair.repair(clientId -> !ring.hasUserOf(clientId));
        }
        catch (final InternalError fault)
        {
            // Perhaps of another file, and late. If of this ring, the next look at it ends it.
            return false;
        }
        catch (final RuntimeException damaged)
        {
            errorHandler.onError(damaged);
            return true;
        }
        finally
        {
            repairedBytes.getAndAdd(repair.paddedBytes() - before);
        }
    }
}
