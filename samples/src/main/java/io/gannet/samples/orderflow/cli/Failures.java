package io.gannet.samples.orderflow.cli;

import io.gannet.cli.OperatorException;
import io.gannet.samples.marketdata.cli.StopSignal;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;

/**
 * The first failure of a process's threads, which ends the process.
 */
final class Failures implements ErrorHandler
{
    private static final long LOOK_NANOS = 20_000_000L;

    private final AtomicReference<Throwable> first = new AtomicReference<>();

    @Override
    public void onError(final Throwable failure)
    {
        first.compareAndSet(null, failure.getCause() == null ? failure : failure.getCause());
    }

    /** Waits for the signal to stop; throws if a thread failed. */
    void awaitStop(final StopSignal stop)
    {
        while (!stop.isStopped())
        {
            if (first.get() != null)
            {
                throw new OperatorException(reason(first.get()), first.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** What is wrong outside of this process is said in its own words; anything else with where it comes from. */
    private static String reason(final Throwable failure)
    {
        return failure instanceof IOException && failure.getMessage() != null ? failure.getMessage() :
            "a thread failed: " + failure;
    }
}
