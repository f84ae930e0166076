package io.gannet;

import io.gannet.control.ErrorCode;

/**
 * The driver refused to add a publication, subscription or counter, or ended one.
 */
public final class RegistrationException extends GannetException
{
    private static final long serialVersionUID = 1L;

    private final ErrorCode errorCode;

    RegistrationException(final ErrorCode errorCode, final String message)
    {
        super(message);
        this.errorCode = errorCode;
    }

    /** Why. */
    public ErrorCode errorCode()
    {
        return errorCode;
    }
}
