package io.gannet.samples.orderflow.cli;

import io.gannet.cli.OperatorException;
import io.gannet.samples.marketdata.cli.StopSignal;
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
                throw new OperatorException("a thread failed: " + first.get(), first.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
