package io.gannet.driver;

/**
 * How many senders, and as many receivers, a driver has. One agent keeps one of a NIC's processing units busy; the rule
 * of thumb of practitioners, for message rate over several queue pairs, is half the processors: 8 to 4, 16 to 8, 32 to
 * 16. Senders and receivers share that half.
 */
final class AgentCount
{
    private static final int LEAST_PROCESSORS = 8;
    private static final int SHARE = 4;

    private AgentCount()
    {
    }

    /**
     * {@return the number asked for, or the one for this machine}
     *
     * @param wanted 0 for the machine's.
     */
    static int of(final int wanted)
    {
        return wanted != 0 ? wanted : byProcessors(Runtime.getRuntime().availableProcessors());
    }

    static int byProcessors(final int processors)
    {
        return processors < LEAST_PROCESSORS ? 1 : Math.min(processors / SHARE, DriverOptions.MOST_AGENTS);
    }
}
