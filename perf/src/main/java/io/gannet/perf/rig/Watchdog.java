package io.gannet.perf.rig;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends the whole program, children included, when a run takes far longer than planned.
 */
final class Watchdog implements AutoCloseable
{
    private final CountDownLatch done = new CountDownLatch(1);

    Watchdog(final long limitSeconds)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                if (!done.await(limitSeconds, TimeUnit.SECONDS))
                {
                    System.err.println("gannet perf: no end after " + limitSeconds + " s, giving up");
                    System.exit(1);
                }
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }, "rig-watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    /** The run is over; what is left is bounded. */
    void done()
    {
        done.countDown();
    }

    @Override
    public void close()
    {
        done();
    }
}
