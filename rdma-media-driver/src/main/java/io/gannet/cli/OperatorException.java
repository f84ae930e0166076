package io.gannet.cli;

/**
 * A command can't do what it was asked for, by no fault of the program: its message is printed as one line, without a
 * stack trace, and the command ends with exit code 1.
 */
public class OperatorException extends RuntimeException
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
}
