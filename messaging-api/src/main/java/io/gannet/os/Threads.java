package io.gannet.os;

/** Starts threads; that the kernel makes none is told as any other shortage. */
public final class Threads
{
    private Threads()
    {
    }

    /**
     * Starts a thread.
     *
     * @throws OsException if the user, the service or the container may not have another one.
     */
    public static void start(final Thread thread)
    {
        try
        {
            thread.start();
        }
        catch (final OutOfMemoryError none)
        {
            throw new OsException("start the thread " + thread.getName(), Errno.EAGAIN,
                "Raise ulimit -u (and -v), TasksMax= in the unit or pids.max of the container");
        }
    }
}
