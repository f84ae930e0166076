package io.gannet.recording;

import io.gannet.GannetException;

/**
 * A recording can't be made or read; the message says where, why and what to do.
 */
public final class RecordingException extends GannetException
{
    private static final long serialVersionUID = 1L;
    private static final String CODE = " (E701)";

    /** See {@link RuntimeException}. */
    public RecordingException(final String message)
    {
        super(coded(message));
    }

    /** See {@link RuntimeException}. */
    public RecordingException(final String message, final Throwable cause)
    {
        super(coded(message), cause);
    }

    private static String coded(final String message)
    {
        return message.endsWith(CODE) ? message : message + CODE;
    }
}
