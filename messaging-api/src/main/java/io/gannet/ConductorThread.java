package io.gannet;

import io.gannet.control.Bell;
import io.gannet.os.LateFault;
import io.gannet.os.Threads;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The thread of a client's conductor: works, and sleeps on the client's bell when there is nothing to do. */
final class ConductorThread implements Runnable
{
    private static final long LONGEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SHORT_SLEEP = TimeUnit.MILLISECONDS.toNanos(1);
    /** How long a close waits for a conductor that is in a handler of the application. */
    static final long MORE_THAN_A_CLOSE_MILLIS = 5_000;

    private final ClientConductor conductor;
    private final Thread thread;

    ConductorThread(final ClientConductor conductor, final Gannet.Context context)
    {
        this.conductor = conductor;
        thread = Objects.requireNonNull(
            context.threadFactory().newThread(this), "the context's threadFactory made no thread: it returned null");
    }

    void start()
    {
        Threads.start(thread);
    }

    @Override
    public void run()
    {
        // Compiled code throws the fault of a truncated file later than where it touched it, also between two cycles.
        boolean over = false;
        while (!over)
        {
            try
            {
                over = runToTheEnd();
            }
            catch (final InternalError truncated)
            {
                conductor.fault();
                LateFault.discard();
                LockSupport.parkNanos(SHORT_SLEEP);
            }
        }
    }

    private boolean runToTheEnd()
    {
        final Bell bell = conductor.link().client().bell();
        while (!conductor.isTerminated())
        {
            if (work() == 0)
            {
                sleepUnlessWorkArrived(bell);
            }
        }
        return true;
    }

    private void sleepUnlessWorkArrived(final Bell bell)
    {
        bell.arm();
        if (work() == 0 && !conductor.isTerminated())
        {
            bell.sleep(conductor.registrations().isWaiting() ? SHORT_SLEEP : LONGEST_SLEEP);
        }
        else
        {
            bell.disarm();
        }
    }

    private int work()
    {
        try
        {
            return conductor.doWork();
        }
        catch (final RuntimeException ex)
        {
            conductor.report(ex);
            return 0;
        }
    }

    /** Waits for the end of the conductor, but not for a handler of the application that doesn't return. */
    void awaitEnd()
    {
        boolean interrupted = false;
        final long start = System.nanoTime();
        long left = MORE_THAN_A_CLOSE_MILLIS;
        while (thread.isAlive() && left > 0)
        {
            try
            {
                thread.join(left);
            }
            catch (final InterruptedException ex)
            {
                interrupted = true;
            }
            left = MORE_THAN_A_CLOSE_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        }
        if (thread.isAlive())
        {
            conductor.reportHeldUpClose();
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
