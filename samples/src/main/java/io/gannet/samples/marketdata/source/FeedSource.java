package io.gannet.samples.marketdata.source;

import java.io.IOException;
import java.util.List;

/**
 * A stream of market events, read once. Not thread-safe.
 */
public interface FeedSource extends AutoCloseable
{
    /**
     * Reads the next event.
     *
     * @return false at the end, or, of a live source, when there is none now; {@code event} is then undefined.
     * @throws FeedFormatException if the file is damaged there; the message says what and where.
     */
    boolean next(FeedEvent event) throws IOException;

    /** Whether {@link #next} may find an event later, when it has found none now: a market instead of a file. */
    default boolean isLive()
    {
        return false;
    }

    /** The instruments known so far; grows while events are read, entries never change. */
    List<Instrument> instruments();

    /** Live orders to expect per instrument, to make room once. */
    default int expectedOrders()
    {
        return 4096;
    }

    /** One line on what was read and what was passed over, for the operator; may be empty. */
    String summary();

    @Override
    void close() throws IOException;
}
