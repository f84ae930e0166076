package io.gannet;

import io.gannet.control.ErrorCode;

/**
 * The driver refused to add a publication, subscription or counter, or ended one.
 */
public final class RegistrationException extends GannetException
{
    private static final long serialVersionUID = 1L;
    /** Of what drivers refuse; the number of the error code is added. */
    private static final int FIRST_CODE = 300;

    private final ErrorCode errorCode;

    RegistrationException(final ErrorCode errorCode, final String message)
    {
        super(FIRST_CODE + errorCode.code(), message, null);
        this.errorCode = errorCode;
    }

    /** Why. */
    public ErrorCode errorCode()
    {
        return errorCode;
    }
}
