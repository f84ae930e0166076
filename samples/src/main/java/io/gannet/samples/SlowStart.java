package io.gannet.samples;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells for what a start waits, if it is not through after most of a second. Closed by who has waited.
 */
final class SlowStart implements AutoCloseable
{
    private static final long QUIET_MILLIS = 800;

    private final CountDownLatch through = new CountDownLatch(1);

    /**
     * @param text of the line on standard error.
     */
    SlowStart(final String text)
    {
        Thread.ofPlatform().daemon(true).name("slow-start").start(() -> tell(text));
    }

    private void tell(final String text)
    {
        try
        {
            if (!through.await(QUIET_MILLIS, TimeUnit.MILLISECONDS))
            {
                System.err.println(text);
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
        through.countDown();
    }
}
