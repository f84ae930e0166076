package io.gannet;

/**
 * A publication with a session and a ring of its own, for one thread at a time: the fastest way to publish, and twice
 * the window and message length of a shared one. Offers by several threads at once break the stream; use
 * {@link Gannet#addPublication} for those.
 */
public interface ExclusivePublication extends Publication
{
}
