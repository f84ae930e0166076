package io.gannet.samples.marketdata.publisher;

import io.gannet.samples.marketdata.source.FeedEvent;

/**
 * When each event is to be published. The plan doesn't move when the publisher is late: what waits is measured from the
 * time it was meant for. The plan starts with the first event behind the opening book, which is sent at once.
 */
final class Pace
{
    private final double speed;
    private final double intervalNanos;
    private boolean started;
    private long startTime;
    private long startPace;
    private double offset;

    Pace(final double speed, final double rate)
    {
        this.speed = speed;
        this.intervalNanos = rate > 0 ? 1e9 / rate : 0;
    }

    /** Begins a new plan with the next event. */
    void restart()
    {
        started = false;
    }

    /** The time meant for an event; never moves for the same event once the plan has started. */
    long intended(final FeedEvent event, final long now)
    {
        if (event.opening || (intervalNanos == 0 && speed == Double.POSITIVE_INFINITY))
        {
            return now;
        }
        if (!started)
        {
            started = true;
            startTime = now;
            startPace = event.paceTime;
            offset = 0;
        }
        return startTime + (long) (intervalNanos > 0 ? offset : (event.paceTime - startPace) / speed);
    }

    /** An event was taken. */
    void taken(final FeedEvent event)
    {
        if (!event.opening)
        {
            offset += intervalNanos;
        }
    }
}
