package io.gannet.samples.orderflow.gateway;

/**
 * Lets through so many per second in the long run and so many at once: the generic cell rate algorithm (ITU-T I.371),
 * one number per session. Immutable.
 */
final class Throttle
{
    private static final long SECOND = 1_000_000_000L;

    private final long interval;
    private final long tolerance;

    Throttle(final int perSecond, final int burst)
    {
        interval = Math.max(1, SECOND / perSecond);
        tolerance = interval * (burst - 1);
    }

    /** The session's number after another message, or -1 if that is one too many. */
    long next(final long arrival, final long now)
    {
        final long from = Math.max(arrival, now);
        return from - now > tolerance ? -1 : from + interval;
    }
}
