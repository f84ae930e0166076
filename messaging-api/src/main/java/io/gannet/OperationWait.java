package io.gannet;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How an application's thread waits for what the conductor does for it, and what it is told when that doesn't come. */
final class OperationWait
{
    private static final long SHORT_PARK = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONG_PARK = TimeUnit.SECONDS.toNanos(1);

    private final ClientConductor conductor;
    private final Gannet.Context context;
    private final DriverLink link;

    OperationWait(final ClientConductor conductor, final DriverLink link)
    {
        this.conductor = conductor;
        this.link = link;
        context = conductor.context();
    }

    /** Waits for an operation and takes it back when that takes too long or the thread is interrupted. */
    Object await(final Operation operation, final String what)
    {
        final long start = System.nanoTime();
        final long limit = context.driverTimeout();
        while (!operation.isDone())
        {
            if (context.useConductorInvoker())
            {
                conductor.doWork();
            }
            final long left = limit - (System.nanoTime() - start);
            final boolean interrupted = Thread.currentThread().isInterrupted();
            if (left <= 0 || interrupted || conductor.isTerminated())
            {
                if (operation.isDone())
                {
                    break;
                }
                takeBack(operation);
                throw failure(what, interrupted, start);
            }
            LockSupport.parkNanos(conductor, context.useConductorInvoker() ? SHORT_PARK : Math.min(left, LONG_PARK));
        }
        return operation.result();
    }

    private void takeBack(final Operation operation)
    {
        if (operation.registration() != null)
        {
            operation.registration().close();
        }
    }

    private GannetException failure(final String what, final boolean interrupted, final long start)
    {
        if (conductor.isTerminated())
        {
            return new ClientClosedException(
                "the client was closed while it waited to " + what + conductor.end());
        }
        if (interrupted)
        {
            return new GannetException("interrupted while waiting to " + what + "; it was taken back");
        }
        return new DriverTimeoutException("cannot " + what + " within " +
            TimeUnit.NANOSECONDS.toMillis(context.driverTimeout()) + " ms: " + obstacle(start));
    }

    /** What an operation that began at {@code start} still waits for. */
    private String obstacle(final long start)
    {
        if (conductor.isHeldUpSince(start))
        {
            return "the client's conductor is held up by a handler of the application";
        }
        if (link.phase() == DriverLink.Phase.LOST)
        {
            return "there is no driver: " + link.lastProblem();
        }
        final long silence = TimeUnit.NANOSECONDS.toMillis(link.driverSilence(System.nanoTime()));
        return link.describeDriver() + " didn't answer; its last sign of life was " + silence + " ms ago" +
            (silence > LONG_PARK / 1_000_000 ? ", perhaps it is stopped" : "");
    }
}
