package io.gannet.driver;

import io.gannet.control.ErrorCode;
import io.gannet.errors.Coded;
import io.gannet.errors.ErrorCodes;
import io.gannet.errors.OperatorError;

/**
 * A command that can't be done, with the code and the text that its client gets.
 */
final class RefusedException extends RuntimeException implements Coded
{
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    RefusedException(final ErrorCode code, final String message)
    {
        super(ErrorCodes.of(code).tag(message), null, false, false);
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

    @Override
    public OperatorError error()
    {
        return ErrorCodes.of(code);
    }
}
