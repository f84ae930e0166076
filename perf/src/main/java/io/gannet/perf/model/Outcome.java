package io.gannet.perf.model;

import java.util.Arrays;

/**
 * What a simulation came to. Times in nanoseconds.
 *
 * @param messages     delivered.
 * @param elapsed      from the first message to the last delivery.
 * @param latencies    of the messages, from the arrival in the ring to the receiver's poll.
 * @param senderBusy   processor time of the sender, polls of an idle queue left out.
 * @param receiverBusy processor time of the receiver.
 * @param requests     WRITEs, the tail's included.
 * @param doorbells    posts.
 * @param blueFlames   posts that went by BlueFlame.
 * @param signaled     requests with a completion.
 * @param fullNanos    time in which the sender waited for a slot.
 */
public record Outcome(
    long messages,
    double elapsed,
    Latencies latencies,
    double senderBusy,
    double receiverBusy,
    long requests,
    long doorbells,
    long blueFlames,
    long signaled,
    double fullNanos)
{
    /** Messages a second. */
    public double perSecond()
    {
        return messages * 1e9 / elapsed;
    }

    /** Latency below which a share of the messages is. */
    public double latency(final double quantile)
    {
        return latencies.at(quantile);
    }

    /** Processor time of the sender for a message. */
    public double senderNanos()
    {
        return senderBusy / messages;
    }

    /**
     * A sorted sample.
     */
    public static final class Latencies
    {
        private final double[] sorted;

        Latencies(final double[] values)
        {
            sorted = values.clone();
            Arrays.sort(sorted);
        }

        double at(final double quantile)
        {
            return sorted[(int) Math.min(sorted.length - 1L, Math.round(quantile * sorted.length))];
        }

        @Override
        public boolean equals(final Object other)
        {
            return other instanceof Latencies that && Arrays.equals(sorted, that.sorted);
        }

        @Override
        public int hashCode()
        {
            return Arrays.hashCode(sorted);
        }
    }
}
