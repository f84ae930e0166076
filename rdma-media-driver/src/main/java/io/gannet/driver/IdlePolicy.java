package io.gannet.driver;

/**
 * How an agent's thread waits for work: a number of pauses or yields, then a sleep on its bell.
 * <p>
 * Measured on 2 cores: more spinners than cores cost 3 to 12 ms a hop and timed parks 75 us or more; 50 to 200 yields
 * followed by a sleep on a bell cost a few microseconds while messages flow and next to no processor time otherwise.
 *
 * @param spin       whether a pause keeps the processor (else it yields).
 * @param pauses     how many pauses come before a sleep.
 * @param sleeps     whether it ever sleeps.
 * @param sleepNanos longest sleep.
 */
record IdlePolicy(boolean spin, int pauses, boolean sleeps, long sleepNanos)
{
    /** Pauses of a spinning agent before it sleeps: 50 to 200 us at 25 to 90 ns each. */
    private static final int SPINS = 2_000;

    /** Processors beyond the driver's own threads that make spinning harmless: for a publisher and a subscriber. */
    private static final int SPARE_PROCESSORS = 2;

    static IdlePolicy of(final DriverConfiguration configuration, final int busyThreads, final int processors)
    {
        final int yields = configuration.get(DriverOptions.IDLE_YIELDS);
        final long sleepNanos = configuration.get(DriverOptions.IDLE_SLEEP);
        return switch (configuration.get(DriverOptions.IDLE))
        {
            case SPIN -> new IdlePolicy(true, 0, false, sleepNanos);
            case YIELD -> new IdlePolicy(false, 0, false, sleepNanos);
            case SLEEP -> new IdlePolicy(false, yields, true, sleepNanos);
            case AUTO -> processors >= busyThreads + SPARE_PROCESSORS ?
                new IdlePolicy(true, SPINS, true, sleepNanos) : new IdlePolicy(false, yields, true, sleepNanos);
        };
    }
}
