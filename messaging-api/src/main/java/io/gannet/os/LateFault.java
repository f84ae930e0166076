package io.gannet.os;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The {@link InternalError} of an access to a mapping whose file was truncated. Interpreted code throws it at the
 * access; compiled code only marks the thread, which throws it at some later point where the virtual machine looks at
 * the mark: perhaps in the middle of work that has nothing to do with the file and must not be left half done.
 */
public final class LateFault
{
    private static final VarHandle TURNS;

    static
    {
        try
        {
            TURNS = MethodHandles.lookup().findStaticVarHandle(LateFault.class, "turns", int.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private static int turns = 1;

    private LateFault()
    {
    }

    /**
     * Throws the calling thread's fault, if there is one, rather here than in whichever loop this is compiled into.
     * Takes a nanosecond, so for a data path that found nothing to do.
     *
     * @throws InternalError the fault.
     */
    public static void meet()
    {
        // Compiled code looks at the mark where a loop begins anew. Opaque: or the loop would be none.
        int turn = 0;
        while (turn < (int) TURNS.getOpaque())
        {
            turn++;
        }
    }

    /**
     * Throws the calling thread's fault, if there is one, here rather than at the caller. Some tens of nanoseconds, so
     * not for the data path.
     *
     * @throws InternalError the fault.
     */
    public static void raise()
    {
        // As below, for a native method that does nothing.
        Thread.holdsLock(LateFault.class);
    }

    /**
     * Brings the calling thread's fault, if there is one, up now, and discards it. Afterwards none is pending. Gives up
     * the processor for a moment, so not for the data path.
     *
     * @return whether there was one.
     */
    @SuppressWarnings("ThreadPriorityCheck") // not for its effect on scheduling
    public static boolean discard()
    {
        boolean found = false;
        for (int i = 0; i < 2; i++)
        {
            try
            {
                // A return from a native method looks at the mark; a foreign function's does not surely throw.
                Thread.yield();
            }
            catch (final InternalError fault)
            {
                found = true;
            }
        }
        return found;
    }
}
