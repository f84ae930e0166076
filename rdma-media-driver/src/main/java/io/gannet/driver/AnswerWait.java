package io.gannet.driver;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A moment's wait, after messages were delivered, for what their subscribers publish in answer. A driver's one thread
 * that gives its processor away in between, and gets it back a cycle of another process later, takes longer to send an
 * answer than a subscriber takes to make it. That holds where the subscriber has another processor; where it waits for
 * this one, each look would delay it. So it is tried: looks that find nothing double the deliveries until the next one,
 * and one that finds something ends that. Not thread-safe.
 */
final class AnswerWait
{
    /** Nanoseconds: a subscriber that polls and answers takes 1 to 2 us, two changes of process about 3. */
    static final long LONGEST = 2_500;
    /** Deliveries between two looks at most: they then cost some 20 ns each. */
    static final int MOST_SKIPPED = 128;

    private final BooleanSupplier answered;
    private final LongSupplier clock;
    private int interval;
    private int skipped;

    /**
     * @param answered whether there is something to send.
     * @param clock    nanoseconds.
     */
    AnswerWait(final BooleanSupplier answered, final LongSupplier clock)
    {
        this.answered = answered;
        this.clock = clock;
    }

    /**
     * To be called when something was delivered.
     *
     * @return whether there is something to send already.
     */
    boolean await()
    {
        if (skipped < interval)
        {
            skipped++;
            return false;
        }
        skipped = 0;
        final long start = clock.getAsLong();
        while (!answered.getAsBoolean())
        {
            if (clock.getAsLong() - start >= LONGEST)
            {
                interval = Math.min(MOST_SKIPPED, Math.max(1, 2 * interval));
                return false;
            }
            Thread.onSpinWait();
        }
        interval = 0;
        return true;
    }
}
