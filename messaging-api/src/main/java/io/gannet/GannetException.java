package io.gannet;

/**
 * What goes wrong between a client and its driver. Wrong arguments are {@link IllegalArgumentException}s instead.
 */
public class GannetException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** See {@link RuntimeException}. */
    public GannetException(final String message)
    {
        super(message);
    }

    /** See {@link RuntimeException}. */
    public GannetException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
