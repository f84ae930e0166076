package io.gannet.samples;

import java.util.concurrent.locks.LockSupport;

/**
 * How a thread of a sample waits: it spins where there are processors enough for all of its processes, else it lets
 * others run.
 */
public final class Cores
{
    private static final int PLENTY = 6;
    private static final boolean SPIN = Runtime.getRuntime().availableProcessors() >= PLENTY;
    /** A sleep is this much longer than asked for: 50 us of the kernel's timer slack and the wake-up. */
    private static final long OVERSLEEP_NANOS = 80_000;
    private static final long LONGEST_SLEEP_NANOS = 1_000_000;

    private Cores()
    {
    }

    public static boolean spin()
    {
        return SPIN;
    }

    /** Waits a part of {@code nanos}, never longer. */
    @SuppressWarnings("ThreadPriorityCheck")
    public static void pause(final long nanos)
    {
        if (nanos > OVERSLEEP_NANOS * 2)
        {
            LockSupport.parkNanos(Math.min(nanos - OVERSLEEP_NANOS, LONGEST_SLEEP_NANOS));
        }
        else if (SPIN)
        {
            Thread.onSpinWait();
        }
        else
        {
            Thread.yield();
        }
    }
}
