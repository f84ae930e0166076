package io.gannet.driver;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.agrona.ErrorHandler;

/**
 * Work that other threads of the driver hand to the conductor: results of the resource thread, news of an engine. Runs
 * in the order of arrival, on the conductor's thread.
 */
final class ConductorInbox implements Executor
{
    /** Tasks of one duty cycle, so that a flood of them does not starve the clients. */
    private static final int LIMIT = 64;

    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final ErrorHandler errorHandler;
    private volatile Sleeper bell;

    ConductorInbox(final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
    }

    void bell(final Sleeper conductorBell)
    {
        bell = conductorBell;
    }

    @Override
    public void execute(final Runnable task)
    {
        queue.add(task);
        wake();
    }

    /** Rings for the conductor. */
    void wake()
    {
        final Sleeper sleeper = bell;
        if (sleeper != null)
        {
            sleeper.ring();
        }
    }

    /** Runs what has arrived; an exception of a task goes to the error handler. */
    int drain()
    {
        int count = 0;
        Runnable task;
        while (count < LIMIT && (task = queue.poll()) != null)
        {
            count++;
            try
            {
                task.run();
            }
            catch (final RuntimeException failure)
            {
                errorHandler.onError(failure);
            }
        }
        return count;
    }
}
