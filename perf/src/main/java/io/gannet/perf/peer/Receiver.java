package io.gannet.perf.peer;

/**
 * One subscription, for one thread.
 */
public abstract class Receiver
{
    /** Hands on at most {@code limit} messages and returns how many. */
    public abstract int poll(int limit);

    /** Whether a publisher is there. */
    public abstract boolean connected();
}
