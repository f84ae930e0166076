package io.gannet;

/**
 * The client was closed before or during a call.
 */
public final class ClientClosedException extends GannetException
{
    private static final long serialVersionUID = 1L;

    ClientClosedException(final String message)
    {
        super(message);
    }
}
