package io.gannet;

/**
 * The client was closed before or during a call.
 */
public final class ClientClosedException extends GannetException
{
    private static final long serialVersionUID = 1L;
    private static final int CODE = 333;

    ClientClosedException(final String message)
    {
        super(CODE, message, null);
    }
}
