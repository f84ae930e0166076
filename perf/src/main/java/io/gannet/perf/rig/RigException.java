package io.gannet.perf.rig;

/**
 * The rig can't go on; the message says why.
 */
public final class RigException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    RigException(final String message)
    {
        super(message);
    }

    RigException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
