package io.gannet.samples.marketdata.publisher;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * The incremental stream: gives each message the next number, waits for room, and counts. The numbers go on when nobody
 * listens. Not thread-safe, but for {@link #stop()}.
 */
final class NumberedOutlet
{
    private final Outlet outlet;
    private final IdleStrategy idle;
    private final PublisherCounters counters;
    private final int skipEvery;
    private long sequence;
    private long lastSent;
    private volatile boolean stopping;

    NumberedOutlet(
        final Outlet outlet, final IdleStrategy idle, final PublisherCounters counters, final int skipEvery)
    {
        this.outlet = outlet;
        this.idle = idle;
        this.counters = counters;
        this.skipEvery = skipEvery;
    }

    /** Number of the last message. */
    long sequence()
    {
        return sequence;
    }

    /** When something was sent last. */
    long lastSent()
    {
        return lastSent;
    }

    void lastSent(final long time)
    {
        lastSent = time;
    }

    /** No more waiting for room: what waits is dropped. Any thread. */
    void stop()
    {
        stopping = true;
    }

    boolean isStopping()
    {
        return stopping;
    }

    /** Takes the next number and claims room, waiting for it if need be; false if the message goes to nobody. */
    boolean claimNext(final int length, final boolean maySkip)
    {
        sequence++;
        counters.messages++;
        counters.bytes += length;
        if (maySkip && skipEvery > 0 && sequence % skipEvery == 0)
        {
            counters.skipped++;
            return false;
        }
        int result = outlet.claim(length);
        if (result == Outlet.BACK_PRESSURED)
        {
            result = claimUnderBackPressure(length);
        }
        if (result == Outlet.CLOSED)
        {
            throw new IllegalStateException("the publication was closed, or its driver ended it");
        }
        if (result <= 0)
        {
            counters.unheard++;
        }
        return result > 0;
    }

    /** Claims room for a message without a number of its own; false if there is none now. */
    boolean tryClaim(final int length)
    {
        return outlet.claim(length) > 0;
    }

    private int claimUnderBackPressure(final int length)
    {
        counters.backPressured++;
        final long start = System.nanoTime();
        int result;
        idle.reset();
        do
        {
            idle.idle();
            result = outlet.claim(length);
        }
        while (result == Outlet.BACK_PRESSURED && !stopping);
        counters.backPressuredNanos += System.nanoTime() - start;
        return result;
    }

    MutableDirectBuffer buffer()
    {
        return outlet.buffer();
    }

    int offset()
    {
        return outlet.offset();
    }

    /** Publishes what was claimed. */
    void commit(final long time)
    {
        outlet.commit();
        lastSent = time;
    }
}
