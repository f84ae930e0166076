package io.gannet.rdma.roce.rc;

/**
 * When to send again for want of an acknowledge. Two times: the ACK time-out of the connection, which costs a retry,
 * and an early one from measured round trips (smoothed and with their deviation, as RFC 6298), which costs nothing and
 * doubles each time. All times in nanoseconds of one monotonic clock.
 */
final class RetransmitTimer
{
    /** Nothing has run out. */
    static final int NONE = 0;
    /** Send again, early. */
    static final int EARLY = 1;
    /** Send again, at the cost of a retry. */
    static final int TIMEOUT = 2;

    private static final long SHORTEST_EARLY = 5_000_000L;

    private final boolean early;
    private long timeout;
    private long deadline;
    private long earlyDeadline;
    private long earlyInterval;
    private long smoothed;
    private long deviation;
    private long samplePsn;
    private long sampleStart;
    private boolean sampling;

    RetransmitTimer(final boolean early)
    {
        this.early = early;
    }

    void timeout(final long nanos)
    {
        timeout = nanos;
    }

    /** Something is outstanding now, or something was acknowledged. */
    void restart(final long now)
    {
        deadline = now + timeout;
        earlyInterval = smoothed == 0 ? timeout : Math.max(SHORTEST_EARLY, smoothed + 4 * deviation);
        earlyDeadline = now + earlyInterval;
    }

    /** A packet that asks for an acknowledge leaves for the first time. */
    void sample(final long psn, final long now)
    {
        if (!sampling)
        {
            sampling = true;
            samplePsn = psn;
            sampleStart = now;
        }
    }

    /** Everything before {@code psn} is acknowledged. */
    void acknowledged(final long psn, final long now)
    {
        if (sampling && samplePsn < psn)
        {
            sampling = false;
            final long roundTrip = Math.max(1, now - sampleStart);
            if (smoothed == 0)
            {
                smoothed = roundTrip;
                deviation = roundTrip / 2;
            }
            else
            {
                deviation += (Math.abs(roundTrip - smoothed) - deviation) / 4;
                smoothed += (roundTrip - smoothed) / 8;
            }
        }
    }

    /** Something is sent again: its round trip says nothing (Karn). */
    void resending()
    {
        sampling = false;
    }

    /** Which time has run out; the one that has starts anew. */
    int expired(final long now)
    {
        if (now - deadline >= 0)
        {
            deadline = now + timeout;
            earlyDeadline = now + earlyInterval;
            return TIMEOUT;
        }
        if (early && now - earlyDeadline >= 0)
        {
            earlyInterval *= 2;
            earlyDeadline = now + earlyInterval;
            return EARLY;
        }
        return NONE;
    }
}
