package io.gannet.ring;

/** A short wait of a thread that keeps its processor. By the clock, as PAUSE takes 10 to 140 cycles by processor. */
final class Backoff
{
    private Backoff()
    {
    }

    static void await(final long nanos)
    {
        final long start = System.nanoTime();
        do
        {
            Thread.onSpinWait();
        }
        while (System.nanoTime() - start < nanos);
    }
}
