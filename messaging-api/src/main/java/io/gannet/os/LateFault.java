package io.gannet.os;

/**
 * The {@link InternalError} of an access to a mapping whose file was truncated. Interpreted code throws it at the
 * access; compiled code only marks the thread, which throws it at some later point where the virtual machine looks at
 * the mark: perhaps in the middle of work that has nothing to do with the file and must not be left half done.
 */
public final class LateFault
{
    private LateFault()
    {
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
