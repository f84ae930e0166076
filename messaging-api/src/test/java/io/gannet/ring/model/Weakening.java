package io.gannet.ring.model;

import io.gannet.ring.model.WeakMemory.Order;

/**
 * Takes the order away from one kind of access, for all actors whose name starts with {@code actor}: loads and stores
 * become opaque, atomic updates relaxed, fences nothing.
 *
 * @param word of a LOAD, STORE or UPDATE; null for a FENCE.
 */
record Weakening(Access access, Word word, String actor)
{
    /** Nothing is weakened. */
    static final Weakening NONE = new Weakening(Access.NONE, null, "");

    /** What an access does. */
    enum Access
    {
        NONE, LOAD, STORE, UPDATE, FENCE
    }

    Order apply(final Access access, final Word word, final String actor, final Order order)
    {
        return this.access == access && this.word == word && order != Order.PLAIN && actor.startsWith(this.actor) ?
            Order.OPAQUE : order;
    }

    boolean dropsFence(final String actor)
    {
        return access == Access.FENCE && actor.startsWith(this.actor);
    }
}
