package io.gannet.ring.model;

import io.gannet.ring.model.WeakMemory.Order;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the order away from named accesses: loads and stores become opaque, atomic updates relaxed, fences nothing.
 * More than one access is named where one is covered by another: then it takes both to lose the pair.
 */
record Weakening(List<Site> sites)
{
    /** Nothing is weakened. */
    static final Weakening NONE = new Weakening(List.of());

    /** What an access does. */
    enum Access
    {
        LOAD, STORE, UPDATE, FENCE, ACQUIRE_FENCE, MEMBARRIER
    }

    /** Accesses of a kind to a kind of word (null for fences) by actors whose name starts with {@code actor}. */
    record Site(Access access, Word word, String actor)
    {
        @Override
        public String toString()
        {
            return actor + "'s " + access + (word == null ? "" : " of " + word);
        }
    }

    static Weakening of(final Access access, final Word word, final String actor)
    {
        return new Weakening(List.of(new Site(access, word, actor)));
    }

    Weakening and(final Access access, final Word word, final String actor)
    {
        final List<Site> more = new ArrayList<>(sites);
        more.add(new Site(access, word, actor));
        return new Weakening(List.copyOf(more));
    }

    Order apply(final Access access, final Word word, final String actor, final Order order)
    {
        return order != Order.PLAIN && contains(access, word, actor) ? Order.OPAQUE : order;
    }

    boolean drops(final Access fence, final String actor)
    {
        return contains(fence, null, actor);
    }

    private boolean contains(final Access access, final Word word, final String actor)
    {
        for (int i = 0; i < sites.size(); i++)
        {
            final Site site = sites.get(i);
            if (site.access == access && site.word == word && actor.startsWith(site.actor))
            {
                return true;
            }
        }
        return false;
    }
}
