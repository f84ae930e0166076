package io.gannet.cli;

import io.gannet.errors.Coded;
import io.gannet.errors.ErrorCodes;
import io.gannet.errors.OperatorError;

/**
 * A command can't do what it was asked for, by no fault of the program: its message is printed as one line, without a
 * stack trace, and the command ends with exit code 1.
 */
public class OperatorException extends RuntimeException implements Coded
{
    private static final long serialVersionUID = 1;

    /**
     * @param message one line for the operator: the value, the limit and the remedy.
     */
    public OperatorException(final String message)
    {
        super(message);
    }

    /**
     * @param message one line for the operator.
     * @param cause   what found the mistake.
     */
    public OperatorException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    /** Which error it is; that of the cause, if that has one of its own. */
    @Override
    public OperatorError error()
    {
        final OperatorError found = getCause() == null ? OperatorError.FAULT : ErrorCodes.of(getCause());
        return found == OperatorError.FAULT ? OperatorError.COMMAND_FAILED : found;
    }
}
