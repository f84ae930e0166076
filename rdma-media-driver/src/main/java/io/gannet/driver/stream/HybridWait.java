package io.gannet.driver.stream;

/**
 * What an agent does between two duty cycles: polls as long as there is work, and for a while after; then arms what can
 * wake it, runs one more whole duty cycle, and only if that found nothing waits. Whatever comes after the arming ends
 * the wait, whatever came before was seen by the duty cycle, so that no wake-up is lost. Polling before arming, or
 * arming once for several waits, loses some.
 * <pre>
 *            work                        work
 *         +--------+   idle long enough  +--------------+
 *         v        |                     |              |
 *     POLLING -----+---- arm ----------> ARMED ---------+--> POLLING
 *         ^                              | nothing
 *         |   disarm: something came     v
 *         +---------------------------- WAITED --- disarm: time was up ---> arm at once
 * </pre>
 * The agent's thread calls {@link #beforeCycle()}, the duty cycle, {@link #afterCycle(int)}, and so on. Not
 * thread-safe: owned by that thread.
 */
public final class HybridWait
{
    /**
     * How the thread pauses and sleeps. All on the agent's thread.
     */
    public interface Wakes
    {
        /** Pauses for the shortest time: spins or yields. */
        void pause();

        /** After a cycle with work: lets those go on for whom it was, where they have no processor of their own. */
        default void rest()
        {
        }

        /** From now on whatever gives the agent work ends the next {@link #await()}, also if it comes before that. */
        void arm();

        /** Waits until something armed has come, or until the agent has something to do by the time. */
        void await();

        /**
         * Takes the arming back.
         *
         * @return whether something armed has come since {@link #arm()}.
         */
        boolean disarm();
    }

    private enum State
    {
        POLLING, ARMED, WAITED
    }

    private final Wakes wakes;
    private final int pauses;
    private State state = State.POLLING;
    private int idleCycles;
    private long waits;

    /**
     * @param pauses duty cycles without work, each followed by a pause, before it arms; {@link Integer#MAX_VALUE} for
     *               an agent that never waits.
     */
    public HybridWait(final Wakes wakes, final int pauses)
    {
        this.wakes = wakes;
        this.pauses = pauses;
    }

    /** To be called before each duty cycle. */
    public void beforeCycle()
    {
        if (state == State.WAITED)
        {
            state = State.POLLING;
            idleCycles = wakes.disarm() ? 0 : pauses;
        }
    }

    /**
     * To be called after each duty cycle; pauses, arms or waits.
     *
     * @param work done by the duty cycle; 0 means idle.
     */
    public void afterCycle(final int work)
    {
        if (work > 0)
        {
            idleCycles = 0;
            if (state == State.ARMED)
            {
                state = State.POLLING;
                wakes.disarm();
            }
            wakes.rest();
        }
        else if (state == State.ARMED)
        {
            state = State.WAITED;
            waits++;
            wakes.await();
        }
        else if (idleCycles < pauses || pauses == Integer.MAX_VALUE)
        {
            idleCycles++;
            wakes.pause();
        }
        else
        {
            state = State.ARMED;
            wakes.arm();
        }
    }

    /** {@return whether it has armed: what comes now has to wake it} */
    public boolean isArmed()
    {
        return state != State.POLLING;
    }

    /** {@return waits so far} */
    public long waits()
    {
        return waits;
    }
}
