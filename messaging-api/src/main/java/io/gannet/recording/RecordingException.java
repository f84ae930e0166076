package io.gannet.recording;

import io.gannet.GannetException;

/**
 * A recording can't be made or read; the message says where, why and what to do.
 */
public final class RecordingException extends GannetException
{
    private static final long serialVersionUID = 1L;

    /** See {@link RuntimeException}. */
    public RecordingException(final String message)
    {
        super(message);
    }

    /** See {@link RuntimeException}. */
    public RecordingException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
