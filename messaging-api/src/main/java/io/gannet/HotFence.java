package io.gannet;

import io.gannet.os.Membarrier;
import java.lang.invoke.VarHandle;

/**
 * The two sides of "I am inside" against "you are closed": the hot side stores that it is inside and then loads whether
 * it is closed; the closing side stores that it is closed, fences both sides by membarrier, and then loads whether the
 * hot side is inside. One of the two sees the other. The hot side's accesses are opaque or stronger, which compiled
 * code keeps in order; the processor's order comes from the membarrier, or from a fence on the hot side without it.
 */
final class HotFence
{
    private static final boolean BY_MEMBARRIER = register();

    private HotFence()
    {
    }

    private static boolean register()
    {
        if (!Membarrier.isSupported())
        {
            return false;
        }
        Membarrier.register();
        return true;
    }

    /** Whether the rare side fences for the hot one. */
    static boolean isByMembarrier()
    {
        return BY_MEMBARRIER;
    }

    /** Between the hot side's store and its load. */
    static void hot()
    {
        if (!BY_MEMBARRIER)
        {
            // Pairs with the one in rare().
            VarHandle.fullFence();
        }
    }

    /** Between the rare side's store and its load. */
    static void rare()
    {
        // Pairs with the hot side's fence: its own, or the membarrier's in its thread.
        VarHandle.fullFence();
        if (BY_MEMBARRIER)
        {
            Membarrier.fence();
        }
    }
}
