package io.gannet.driver;

/**
 * What an agent of the driver does when a duty cycle found no work.
 */
public enum IdleMode
{
    /** {@link #SPIN} where the process has more processors than busy threads to run on them, else {@link #SLEEP}. */
    AUTO,

    /** Polls again at once. The latency of a cache line, the price of a whole core per agent. */
    SPIN,

    /** Gives the processor to whoever wants it and polls again: a whole core when nobody does. */
    YIELD,

    /** Yields a number of times, then sleeps on the agent's bell until it rings or a time-out. */
    SLEEP
}
