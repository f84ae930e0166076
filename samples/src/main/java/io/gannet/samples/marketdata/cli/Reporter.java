package io.gannet.samples.marketdata.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls a report again and again on a thread of its own.
 */
public final class Reporter implements AutoCloseable
{
    private final Thread thread;
    private volatile boolean closed;

    public Reporter(final Runnable report, final long intervalMillis)
    {
        thread = new Thread(() ->
        {
            while (!closed)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(intervalMillis));
                if (!closed)
                {
                    report.run();
                }
            }
        }, "report");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns when no report runs any more. */
    @Override
    public void close()
    {
        closed = true;
        LockSupport.unpark(thread);
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        }
        catch (final InterruptedException ended)
        {
            Thread.currentThread().interrupt();
        }
    }
}
