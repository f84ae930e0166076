package io.gannet.driver;

/**
 * The driver can't start or go on for a reason outside of it: the directory, another driver, a shortage. The message is
 * one line for the operator: the value, the limit and the remedy.
 */
public final class DriverException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /**
     * @param message one line for the operator.
     */
    public DriverException(final String message)
    {
        super(message);
    }

    /**
     * @param message one line for the operator.
     * @param cause   what found it.
     */
    public DriverException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
