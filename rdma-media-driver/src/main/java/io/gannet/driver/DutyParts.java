package io.gannet.driver;

import org.agrona.ErrorHandler;

/**
 * Parts of one agent's duty cycle, in order. One that throws, even in every cycle, keeps no other from its work.
 */
final class DutyParts
{
    private final ErrorHandler errorHandler;
    private final Part[] parts;

    /** One part. */
    @FunctionalInterface
    interface Part
    {
        /** Does what there is to do at a time of {@link System#nanoTime}; returns how much that was. */
        int doWork(long now);
    }

    DutyParts(final ErrorHandler errorHandler, final Part... parts)
    {
        this.errorHandler = errorHandler;
        this.parts = parts.clone();
    }

    /** One cycle; an {@link Error} ends it. */
    int doWork(final long now)
    {
        int work = 0;
        for (final Part part : parts)
        {
            try
            {
                work += part.doWork(now);
            }
            catch (final RuntimeException failure)
            {
                errorHandler.onError(failure);
            }
        }
        return work;
    }
}
