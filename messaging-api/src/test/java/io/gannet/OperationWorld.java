package io.gannet;

import io.gannet.ring.model.ProcessWorld;

/** A conductor completes an operation that an application's thread waits for. */
final class OperationWorld extends ProcessWorld
{
    private static final String RESULT = "result";

    private final Operation operation = new Operation(null);

    OperationWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        thread("conductor", () -> operation.complete(RESULT));
        thread("application", this::await);
    }

    private void await()
    {
        while (!operation.isDone())
        {
            idle();
        }
        if (!RESULT.equals(operation.result()))
        {
            throw new AssertionError("done without its result");
        }
    }
}
