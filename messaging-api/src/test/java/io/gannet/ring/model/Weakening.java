package io.gannet.ring.model;

import io.gannet.ring.model.WeakMemory.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Takes the order away from named accesses: loads and stores become opaque, atomic updates relaxed, fences nothing.
 * More than one access is named where one is covered by another: then it takes both to lose the pair.
 */
public record Weakening(List<Site> sites)
{
    /** Nothing is weakened. */
    public static final Weakening NONE = new Weakening(List.of());

    /** What an access does. */
    public enum Access
    {
        LOAD, STORE, UPDATE, FENCE, ACQUIRE_FENCE, RELEASE_FENCE, MEMBARRIER, MONITOR
    }

    /**
     * Accesses of a kind by actors whose name starts with {@code actor}.
     *
     * @param place a {@link Word} of the ring, the name of a field with its class's, or null for fences.
     */
    public record Site(Access access, Object place, String actor)
    {
        @Override
        public String toString()
        {
            return actor + "'s " + access + (place == null ? "" : " of " + place);
        }
    }

    /** One access. */
    public static Weakening of(final Access access, final Object place, final String actor)
    {
        return new Weakening(List.of(new Site(access, place, actor)));
    }

    /** This and one more. */
    public Weakening and(final Access access, final Object place, final String actor)
    {
        final List<Site> more = new ArrayList<>(sites);
        more.add(new Site(access, place, actor));
        return new Weakening(List.copyOf(more));
    }

    Order apply(final Access access, final Object place, final String actor, final Order order)
    {
        return order != Order.PLAIN && contains(access, place, actor) ? Order.OPAQUE : order;
    }

    boolean drops(final Access fence, final String actor)
    {
        return contains(fence, null, actor);
    }

    boolean dropsMonitor(final String place, final String actor)
    {
        return contains(Access.MONITOR, place, actor);
    }

    private boolean contains(final Access access, final Object place, final String actor)
    {
        for (int i = 0; i < sites.size(); i++)
        {
            final Site site = sites.get(i);
            if (site.access == access && Objects.equals(site.place, place) && actor.startsWith(site.actor))
            {
                return true;
            }
        }
        return false;
    }
}
