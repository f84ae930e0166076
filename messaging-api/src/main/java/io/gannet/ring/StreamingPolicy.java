package io.gannet.ring;

/**
 * Decides when a reader takes messages one by one as they are committed (edge), and when it keeps
 * {@link #GATE} bytes behind the producer (streaming). A reader that catches up reads the lines that are being written,
 * and then every message costs both sides a transfer of lines; one that stays behind never touches them.
 * <p>
 * Streaming must pay: edge measures its rate over windows from one poll that caught up to another. If that is above
 * {@link #MIN_RATE} streaming is tried, with a deadline by which the gate must bring its bytes 1.25 times as fast as
 * edge did. A failed trial doubles the windows until the next, two kept deadlines accept. Accepted streaming ends after
 * three misses in a row or when hardly anything came. So ping-pong and paced streams try it exponentially rarer, for at
 * most {@link #MAX_WAIT_NANOS} each, and a saturating producer is accepted within 100 us.
 * <p>
 * The gate is state: a poll before the deadline returns nothing, at once. Constants by measurement on both placements
 * of two cores. Not thread-safe: the reader's.
 */
final class StreamingPolicy
{
    /** Bytes to wait for. */
    static final long GATE = 64 * 1024;
    /** Longest wait; below 30 us any interruption would end streaming. */
    static final long MAX_WAIT_NANOS = 60_000;
    /** Bytes over which edge mode measures its rate. */
    static final long WINDOW = 32 * 1024;
    /** Rate in bytes per 1000 ns above which streaming is tried: 150 MB/s. */
    static final long MIN_RATE = 150;
    /** A poll that found more was fed by a backlog: a window neither begins nor ends there. */
    static final int FEW = 16;
    /** Windows between trials at most. */
    static final int MAX_SKIP = 4096;

    private static final int TRIALS = 2;
    private static final int MAX_MISSES = 2;
    private static final int EMPTY_POLLS = 1000;

    private boolean streaming;
    private int trials;
    private int misses;
    private int skip = 2;
    private int nextSkip = 1;
    private int emptyPolls;
    private long windowStart;
    private long windowNanos;
    private long rate;
    private long deadline;

    /** Whether the reader keeps behind. */
    boolean isStreaming()
    {
        return streaming;
    }

    /**
     * Streaming, when all below the gate is consumed: whether to wait for more.
     *
     * @param available bytes that the producer is ahead.
     * @param nanos     now; only looked at if not enough is available.
     * @return true to poll again later; false to take what is available, in the mode that holds now.
     */
    boolean waitFor(final long available, final long nanos)
    {
        if (available >= GATE)
        {
            deadline = 0;
            misses = 0;
            if (trials > 0 && --trials == 0)
            {
                nextSkip = 1;
            }
            return false;
        }
        if (deadline == 0)
        {
            deadline = nanos + Math.min(MAX_WAIT_NANOS, GATE * 800 / rate);
            return true;
        }
        if (nanos - deadline < 0)
        {
            return true;
        }
        deadline = 0;
        miss(available);
        return false;
    }

    private void miss(final long available)
    {
        final boolean trial = trials > 0;
        if (trial || ++misses > MAX_MISSES || available < GATE / 4)
        {
            streaming = false;
            trials = 0;
            misses = 0;
            windowNanos = 0;
            skip = trial ? nextSkip : 1;
            nextSkip = trial ? Math.min(nextSkip * 2, MAX_SKIP) : nextSkip;
        }
    }

    /**
     * Edge, after a poll that ended because there was no more. Between two such points the reader has read what the
     * producer wrote, whatever the polls between them found.
     */
    void onCaughtUp(final int fragments, final long position)
    {
        if (fragments == 0)
        {
            if (++emptyPolls == EMPTY_POLLS)
            {
                windowNanos = 0;
            }
            return;
        }
        emptyPolls = 0;
        if (fragments <= FEW && (windowNanos == 0 || position - windowStart >= WINDOW))
        {
            onWindow(position, System.nanoTime());
        }
    }

    /** Start of a window, and end of the one before if there was any. */
    void onWindow(final long position, final long nanos)
    {
        if (windowNanos != 0)
        {
            rate = (position - windowStart) * 1000 / (nanos - windowNanos + 1);
            if (rate > MIN_RATE && --skip <= 0)
            {
                streaming = true;
                trials = TRIALS;
                deadline = 0;
            }
        }
        windowStart = position;
        windowNanos = nanos | 1;
    }
}
