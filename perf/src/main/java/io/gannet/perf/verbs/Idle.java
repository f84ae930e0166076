package io.gannet.perf.verbs;

/**
 * What a thread does that has nothing to do: with two processors or fewer the other end may need this one.
 */
public final class Idle
{
    private static final boolean SCARCE = Runtime.getRuntime().availableProcessors() < 4;

    private Idle()
    {
    }

    /** Yields where processors are scarce, else spins. */
    @SuppressWarnings("ThreadPriorityCheck") // measured: with scarce processors a spin costs the other end's time
    public static void pause()
    {
        if (SCARCE)
        {
            Thread.yield();
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /** Yields where processors are scarce, else does nothing: a pause of the processor takes as long as a post. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void yieldIfScarce()
    {
        if (SCARCE)
        {
            Thread.yield();
        }
    }
}
