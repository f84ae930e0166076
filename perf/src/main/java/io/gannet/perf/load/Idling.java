package io.gannet.perf.load;

/**
 * How a busy thread waits for another one.
 *
 * @param yields whether there are more busy threads than processors, so that a spin may keep the other from its work.
 *               Otherwise a waiting thread spins with PAUSE.
 */
record Idling(boolean yields)
{
    @SuppressWarnings("ThreadPriorityCheck") // with more threads than processors a spin never ends
    void idle()
    {
        if (yields)
        {
            Thread.yield();
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /** Waits until {@link System#nanoTime()} has reached {@code nanos}. */
    void until(final long nanos)
    {
        while (System.nanoTime() - nanos < 0)
        {
            idle();
        }
    }
}
