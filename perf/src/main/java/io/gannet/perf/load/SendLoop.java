package io.gannet.perf.load;

/**
 * What a producing thread does in a phase: sends as fast as offers are accepted, or by intended time.
 */
final class SendLoop
{
    private static final int BURST = 64;
    private static final long GAP_NANOS = 10_000;

    private final Idling idling;
    private final long interval;

    /**
     * @param intervalNanos time between intended sends, or 0 for full speed.
     */
    SendLoop(final Idling idling, final long intervalNanos)
    {
        this.idling = idling;
        interval = intervalNanos;
    }

    /** Sends from {@code start}, which has come, to {@code end}. */
    void run(final Outbound producer, final long start, final long end)
    {
        if (interval > 0)
        {
            paced(producer, start, end);
        }
        else
        {
            atFullSpeed(producer, end);
        }
    }

    private void atFullSpeed(final Outbound producer, final long end)
    {
        int bursts = 0;
        while (true)
        {
            if (producer.burst(BURST) == 0)
            {
                producer.refused++;
                idling.idle();
                if (System.nanoTime() - end >= 0)
                {
                    return;
                }
            }
            else if ((++bursts & 3) == 0 && System.nanoTime() - end >= 0)
            {
                return;
            }
        }
    }

    private void paced(final Outbound producer, final long start, final long end)
    {
        long next = start;
        long previous = System.nanoTime();
        while (true)
        {
            final long now = System.nanoTime();
            if (now - previous > GAP_NANOS)
            {
                producer.gaps++;
                producer.gapNanos += now - previous;
            }
            previous = now;
            if (now - end >= 0)
            {
                return;
            }
            if (now - next >= 0)
            {
                if (producer.offer(next))
                {
                    next += interval;
                }
                else
                {
                    producer.refused++;
                    idling.idle();
                }
            }
        }
    }
}
