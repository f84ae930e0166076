package io.gannet;

/**
 * Two threads polled one subscription at the same time. Each thread needs a subscription of its own.
 */
public final class ConcurrentPollException extends GannetException
{
    private static final long serialVersionUID = 1L;

    ConcurrentPollException(final String message)
    {
        super(message);
    }
}
