package io.gannet;

/**
 * Client and driver speak no common version; the message names both.
 */
public final class VersionMismatchException extends GannetException
{
    private static final long serialVersionUID = 1L;
    private static final int CODE = 307;

    VersionMismatchException(final String message)
    {
        super(CODE, message, null);
    }
}
