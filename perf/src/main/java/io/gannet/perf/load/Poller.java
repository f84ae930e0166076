package io.gannet.perf.load;

import io.gannet.perf.peer.Receiver;
import org.HdrHistogram.Histogram;

/**
 * The subscriptions of one polling thread, with a checker each.
 */
final class Poller
{
    private static final int FRAGMENT_LIMIT = 256;

    private final Receiver[] receivers;
    private final Checker[] checkers;
    private final Histogram latency;
    private final Idling idling;

    /**
     * @param checkers handlers of the receivers, in the same order.
     * @param latency  where the checkers record, or null.
     */
    Poller(final Receiver[] receivers, final Checker[] checkers, final Histogram latency, final Idling idling)
    {
        this.receivers = receivers;
        this.checkers = checkers;
        this.latency = latency;
        this.idling = idling;
    }

    boolean connected()
    {
        for (final Receiver receiver : receivers)
        {
            if (!receiver.connected())
            {
                return false;
            }
        }
        return true;
    }

    /** Polls each subscription once and returns how many messages came. */
    int poll()
    {
        int polled = 0;
        for (final Receiver receiver : receivers)
        {
            polled += receiver.poll(FRAGMENT_LIMIT);
        }
        return polled;
    }

    /** Polls until {@code end} and returns the time then. */
    long pollUntil(final long end)
    {
        int empty = 0;
        int batch = 0;
        while (true)
        {
            final int polled = poll();
            if (polled == 0)
            {
                idling.idle();
                if ((++empty & 63) != 0)
                {
                    continue;
                }
            }
            else
            {
                batch += polled;
                if (batch < 4 * FRAGMENT_LIMIT)
                {
                    continue;
                }
                batch = 0;
            }
            final long now = System.nanoTime();
            if (now - end >= 0)
            {
                return now;
            }
        }
    }

    /** Polls until nothing comes. */
    void pollAll()
    {
        // A poll that waits for more may return 0 although there is something: ask again before believing it.
        for (int empty = 0; empty < 3;)
        {
            empty = poll() == 0 ? empty + 1 : 0;
        }
    }

    /** Messages of each subscription since the start. */
    long[] received()
    {
        final long[] received = new long[checkers.length];
        for (int i = 0; i < received.length; i++)
        {
            received[i] = checkers[i].received();
        }
        return received;
    }

    /** Whether every subscription has had {@code sent} messages since the start. */
    boolean hasReceived(final long sent)
    {
        for (final Checker checker : checkers)
        {
            if (checker.received() != sent)
            {
                return false;
            }
        }
        return true;
    }

    /** Latencies of the phase, or null. */
    Histogram latency()
    {
        return latency;
    }
}
