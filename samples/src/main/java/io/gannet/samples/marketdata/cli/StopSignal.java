package io.gannet.samples.marketdata.cli;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a command in an orderly way: by Ctrl-C or SIGTERM, after a time, or, for a child process, when its parent closes
 * the child's standard input, be it by dying.
 */
public final class StopSignal implements AutoCloseable
{
    private static final long PATIENCE_SECONDS = 20;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onShutdown, "stop");
    private final long deadline;
    private volatile boolean stopped;

    /**
     * @param seconds     to run, or 0 for no end.
     * @param followStdin whether the end of standard input is a signal to stop.
     */
    public StopSignal(final double seconds, final boolean followStdin)
    {
        deadline = seconds > 0 ? System.nanoTime() + (long) (seconds * 1e9) : 0;
        Runtime.getRuntime().addShutdownHook(hook);
        if (followStdin)
        {
            ChildSession.begin();
            final Thread watcher = new Thread(this::watchStdin, "parent-watch");
            watcher.setDaemon(true);
            watcher.start();
        }
    }

    /** Whether it is time to end. */
    public boolean isStopped()
    {
        return stopped || (deadline != 0 && System.nanoTime() - deadline >= 0);
    }

    private void watchStdin()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                // Only the end matters.
            }
        }
        catch (final IOException gone)
        {
            // As good as the end.
        }
        stopped = true;
    }

    /** The JVM waits for its hooks: the command gets the time to sum up. */
    private void onShutdown()
    {
        stopped = true;
        try
        {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
            {
                System.err.println("gannet: ended without a summary after " + PATIENCE_SECONDS + " s");
            }
        }
        catch (final InterruptedException ended)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        finished.countDown();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException shuttingDown)
        {
            // The hook is running and has just been released.
        }
    }
}
