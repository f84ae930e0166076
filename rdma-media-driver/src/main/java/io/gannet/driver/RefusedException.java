package io.gannet.driver;

import io.gannet.control.ErrorCode;

/**
 * A command that can't be done, with the code and the text that its client gets.
 */
final class RefusedException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    RefusedException(final ErrorCode code, final String message)
    {
        super(message, null, false, false);
        this.code = code;
    }

    static RefusedException limit(final String message)
    {
        return new RefusedException(ErrorCode.LIMIT_REACHED, message);
    }

    static RefusedException storage(final String message)
    {
        return new RefusedException(ErrorCode.STORAGE_FULL, message);
    }

    ErrorCode code()
    {
        return code;
    }
}
