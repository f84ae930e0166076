package io.gannet.samples.marketdata.source;

import java.util.SplittableRandom;

/**
 * Times of events that come in bursts: a self-exciting (Hawkes) process with an exponential kernel, drawn by Ogata's
 * thinning. Each event raises the intensity by {@code jump}, which decays with {@code decay}; the share of events that
 * others caused is {@link #BRANCHING}. The mean rate is {@code base / (1 - BRANCHING)}. The same seed gives the same
 * times on every machine (StrictMath).
 */
final class HawkesClock
{
    /** Expected number of events that one event causes; 0.7 to 0.9 is what order flow shows. */
    static final double BRANCHING = 0.8;

    private static final double EVENTS_PER_BURST_TIME = 25;

    private final SplittableRandom random;
    private final double base;
    private final double decay;
    private final double jump;
    private double excitement;
    private double seconds;

    /**
     * @param rate mean events per second.
     */
    HawkesClock(final SplittableRandom random, final double rate)
    {
        this.random = random;
        base = rate * (1 - BRANCHING);
        decay = rate / EVENTS_PER_BURST_TIME;
        jump = BRANCHING * decay;
    }

    /** Nanoseconds from the start to the next event. */
    long next()
    {
        while (true)
        {
            // Between events the intensity only falls, so that its value now bounds it.
            final double bound = base + excitement;
            final double wait = -StrictMath.log(1 - random.nextDouble()) / bound;
            seconds += wait;
            excitement *= StrictMath.exp(-decay * wait);
            if (random.nextDouble() * bound <= base + excitement)
            {
                excitement += jump;
                return (long) (seconds * 1e9);
            }
        }
    }
}
