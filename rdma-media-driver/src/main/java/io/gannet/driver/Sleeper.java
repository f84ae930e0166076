package io.gannet.driver;

/**
 * The bell of an agent's thread, seen by the thread that sleeps on it. The order is arm, poll everything once more,
 * then sleep or disarm: whoever publishes work after {@code arm} rings, whoever did before is seen by the poll.
 */
public interface Sleeper
{
    /** Announces the sleep; stores before this call are visible before anything that is read after it. */
    void arm();

    /** Takes the announcement back. */
    void disarm();

    /**
     * Sleeps until the bell rings or the time-out; takes the announcement back.
     *
     * @param timeoutNanos longest sleep.
     */
    void sleep(long timeoutNanos);

    /** Wakes the sleeper, from any thread; cheap when nobody sleeps. */
    void ring();
}
