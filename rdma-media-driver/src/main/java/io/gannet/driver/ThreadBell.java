package io.gannet.driver;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A bell between threads of one process.
 */
final class ThreadBell implements Sleeper
{
    /** The thread that is about to sleep, or sleeps. */
    private final AtomicReference<Thread> sleeper = new AtomicReference<>();

    @Override
    public void arm()
    {
        sleeper.set(Thread.currentThread());
    }

    @Override
    public void disarm()
    {
        sleeper.set(null);
    }

    @Override
    public void sleep(final long timeoutNanos)
    {
        if (sleeper.get() != null)
        {
            LockSupport.parkNanos(this, timeoutNanos);
        }
        disarm();
    }

    @Override
    public void ring()
    {
        final Thread thread = sleeper.getAndSet(null);
        if (thread != null)
        {
            LockSupport.unpark(thread);
        }
    }
}
