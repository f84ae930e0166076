package io.gannet.driver;

import io.gannet.errors.Coded;
import io.gannet.errors.ErrorCodes;
import io.gannet.errors.OperatorError;

/**
 * The driver can't start or go on for a reason outside of it: the directory, another driver, a shortage. The message is
 * one line for the operator, the value, the limit and the remedy, and ends with the error's code.
 */
public final class DriverException extends RuntimeException implements Coded
{
    private static final long serialVersionUID = 1;

    private final OperatorError error;

    /**
     * @param error   which one.
     * @param message one line for the operator.
     */
    public DriverException(final OperatorError error, final String message)
    {
        super(error.tag(message));
        this.error = error;
    }

    /**
     * @param error   which one.
     * @param message one line for the operator.
     * @param cause   what found it.
     */
    public DriverException(final OperatorError error, final String message, final Throwable cause)
    {
        super(error.tag(message), cause);
        this.error = error;
    }

    /** With the message and the code of what found it. */
    static DriverException of(final RuntimeException cause)
    {
        return new DriverException(ErrorCodes.of(cause), cause.getMessage(), cause);
    }

    @Override
    public OperatorError error()
    {
        return error;
    }
}
