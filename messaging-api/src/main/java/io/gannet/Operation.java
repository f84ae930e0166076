package io.gannet;

import java.util.concurrent.locks.LockSupport;

/** What an application's thread waits for while the conductor talks to the driver. Completed once. */
final class Operation
{
    private final Registration registration;
    private final Thread waiter = Thread.currentThread();
    private Object result;
    private RuntimeException failure;
    private volatile boolean done;

    Operation(final Registration registration)
    {
        this.registration = registration;
    }

    Registration registration()
    {
        return registration;
    }

    void complete(final Object value)
    {
        result = value;
        done = true;                    // publishes the result
        LockSupport.unpark(waiter);
    }

    void fail(final RuntimeException problem)
    {
        failure = problem;
        done = true;
        LockSupport.unpark(waiter);
    }

    boolean isDone()
    {
        return done;                    // pairs with the stores that publish
    }

    /** The result, once done. */
    Object result()
    {
        if (failure != null)
        {
            // The conductor's trace says nothing to the caller; this one shows the caller's line.
            failure.setStackTrace(Thread.currentThread().getStackTrace());
            throw failure;
        }
        return result;
    }
}
