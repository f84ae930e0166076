package io.gannet.cli.recording;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C or SIGTERM: whoever works looks whether it is stopped, and gets the time to sum up before the JVM ends.
 */
final class Stop implements AutoCloseable
{
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch summedUp = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("gannet-stop").unstarted(this::stop);
    private volatile boolean stopped;

    Stop()
    {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    boolean isStopped()
    {
        return stopped;
    }

    private void stop()
    {
        stopped = true;
        try
        {
            summedUp.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        summedUp.countDown();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException stopping)
        {
            // It runs, and ends now.
            return;
        }
    }
}
