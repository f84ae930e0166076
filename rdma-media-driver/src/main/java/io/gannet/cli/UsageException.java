package io.gannet.cli;

import io.gannet.errors.OperatorError;

/**
 * A value on the command line is not possible: as {@link OperatorException}, but the command ends with exit code 2, as
 * it does for a command line that can't be parsed.
 */
public final class UsageException extends OperatorException
{
    private static final long serialVersionUID = 1;

    /**
     * @param message one line for the operator: the option, its value and what is possible.
     */
    public UsageException(final String message)
    {
        super(message);
    }

    /**
     * @param message one line for the operator.
     * @param cause   what found the mistake.
     */
    public UsageException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    @Override
    public OperatorError error()
    {
        return OperatorError.WRONG_VALUE;
    }
}
