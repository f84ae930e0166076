package io.gannet;

/**
 * Told about the media driver going and coming. Streams between processes of one host go on without a driver; streams
 * to other hosts, adding and removing wait for it. Both methods are called by the client's conductor, once per event.
 */
public interface DriverListener
{
    /**
     * No driver runs in the client's directory any more.
     *
     * @param detail who it was, for people.
     */
    default void onDriverLost(final String detail)
    {
    }

    /**
     * A driver runs again and knows this client's publications, subscriptions and counters. What it could not take
     * over was reported before by the error handler and is closed.
     *
     * @param epoch of the new driver; grows with each start.
     */
    default void onDriverBack(final long epoch)
    {
    }
}
