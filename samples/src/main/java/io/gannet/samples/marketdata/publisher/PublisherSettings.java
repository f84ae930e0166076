package io.gannet.samples.marketdata.publisher;

/**
 * How a feed is published.
 *
 * @param speed             times the source's own pace; infinite: as fast as the subscribers allow.
 * @param rate              events per second instead of the source's pace, or 0.
 * @param loops             how often the source is played; 0: without end.
 * @param levels            publish changes of price levels beside those of orders.
 * @param heartbeatNanos    a heartbeat goes out after this long without a message.
 * @param snapshotNanos     shortest time between two snapshot cycles.
 * @param skipEvery         leave out one message in so many, to show the recovery of subscribers; 0: none.
 */
public record PublisherSettings(
    double speed, double rate, int loops, boolean levels, long heartbeatNanos, long snapshotNanos, int skipEvery)
{
    /** At the source's pace, once, orders only. */
    public static PublisherSettings defaults()
    {
        return new PublisherSettings(1, 0, 1, false, 1_000_000_000L, 100_000_000L, 0);
    }

    /** As fast as possible, so often. */
    public static PublisherSettings flatOut(final int loops)
    {
        return new PublisherSettings(Double.POSITIVE_INFINITY, 0, loops, false, 1_000_000_000L, 100_000_000L, 0);
    }

    /** The same with changes of price levels. */
    public PublisherSettings withLevels()
    {
        return new PublisherSettings(speed, rate, loops, true, heartbeatNanos, snapshotNanos, skipEvery);
    }

    /** The same with messages left out. */
    public PublisherSettings withSkipEvery(final int messages)
    {
        return new PublisherSettings(speed, rate, loops, levels, heartbeatNanos, snapshotNanos, messages);
    }
}
