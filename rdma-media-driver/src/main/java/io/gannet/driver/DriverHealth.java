package io.gannet.driver;

import io.gannet.errors.OperatorError;
import java.util.function.Consumer;

/**
 * Whether the driver can go on serving its directory; if not, it ends by itself: nobody could find it, or it could not
 * say anything to anybody, or its device is gone, and a new one starts in order. Thread-safe.
 */
final class DriverHealth
{
    private final DirectoryWatch watch;
    private final Consumer<String> log;
    private Runnable end;
    private volatile DriverException failure;

    /**
     * @param log gets the one line that says why the driver ends.
     */
    DriverHealth(final DirectoryWatch watch, final Consumer<String> log)
    {
        this.watch = watch;
        this.log = log;
    }

    /** What to do, once, if it can't go on. Before the driver's threads start. */
    void whenFailed(final Runnable task)
    {
        end = task;
    }

    /** Looks at the directory; returns whether the driver can go on. */
    synchronized boolean check()
    {
        if (failure == null)
        {
            final String problem = watch.problem();
            if (problem == null)
            {
                return true;
            }
            fail(new DriverException(OperatorError.DIRECTORY_LOST, problem +
                " while the driver was running, so that clients can't reach it: the driver ends. Start it again"));
        }
        return false;
    }

    /** A thread of the driver has died, without which it would only seem to live. */
    synchronized void threadDied(final String name, final Throwable cause)
    {
        fail(new DriverException(OperatorError.THREAD_DIED,
            "thread " + name + " died of " + cause + ": the driver ends. Start it again", cause));
    }

    /** The device is gone: what it has open keeps the kernel from removing it. */
    synchronized void deviceRemoved(final String name)
    {
        fail(new DriverException(OperatorError.DEVICE_GONE, name +
            " was removed or has failed: the driver ends, so that nothing keeps it. Its " +
            "streams go on with the driver that is started next, once the device is back"));
    }

    private void fail(final DriverException reason)
    {
        if (failure == null)
        {
            failure = reason;
            log.accept("error: " + reason.getMessage());
            if (end != null)
            {
                end.run();
            }
        }
    }

    boolean hasFailed()
    {
        return failure != null;
    }

    /** Why the driver ended by itself, or null. */
    DriverException failure()
    {
        return failure;
    }
}
