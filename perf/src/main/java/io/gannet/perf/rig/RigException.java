package io.gannet.perf.rig;

/**
 * The rig can't go on; the message says why.
 */
public final class RigException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /** With a message that says what to do. */
    public RigException(final String message)
    {
        super(message);
    }

    /** As before, and what caused it. */
    public RigException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
