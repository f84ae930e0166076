package io.gannet.samples.orderflow.client;

/**
 * When each order of an open-loop load is meant to be sent: at a steady rate, but the last {@code burst} of every
 * thousand all at once. The plan does not wait for answers.
 */
public final class LoadPlan
{
    private static final int CYCLE = 1000;

    private final double interval;
    private final int burst;

    /**
     * @param perSecond orders per second, above 0.
     * @param burst     orders of each thousand that come at once, 0 to 1000.
     */
    public LoadPlan(final double perSecond, final int burst)
    {
        if (!(perSecond > 0) || burst < 0 || burst > CYCLE)
        {
            throw new IllegalArgumentException("a rate of " + perSecond + "/s must be above 0, a burst of " + burst +
                " from 0 to " + CYCLE);
        }
        interval = 1e9 / perSecond;
        this.burst = burst;
    }

    /** Nanoseconds from the start to an order, which are numbered from 0. */
    public long offset(final long number)
    {
        final long inCycle = number % CYCLE;
        final int first = CYCLE - burst;
        return (long) ((inCycle > first ? number - inCycle + first : number) * interval);
    }
}
