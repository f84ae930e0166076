package io.gannet.samples.orderflow.link;

import io.gannet.samples.UtcClock;

/**
 * Stamps for messages that come in batches: one reading of the clock, of some 30 ns, serves up to {@value #SHARE} of
 * them. A message that comes alone has a reading of its own. For one thread.
 */
public final class BatchClock
{
    /** Messages with the same stamp, at most: of the last it is old by as long as the others took. */
    static final int SHARE = 16;

    private final UtcClock clock;
    private long now;
    private int left;

    /**
     * @param clock to read.
     */
    public BatchClock(final UtcClock clock)
    {
        this.clock = clock;
    }

    /** A batch begins: what was read before is too old. */
    public void begin()
    {
        left = 0;
    }

    /** Nanoseconds since the epoch. */
    public long nanos()
    {
        if (left == 0)
        {
            now = clock.nanos();
            left = SHARE;
        }
        left--;
        return now;
    }
}
