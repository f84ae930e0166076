package io.gannet.driver;

import io.gannet.errors.Coded;
import io.gannet.errors.OperatorError;

/**
 * A configuration that the driver can't start with. The message is one line for the operator: the value, the limit and
 * the remedy.
 */
public final class ConfigurationException extends RuntimeException implements Coded
{
    private static final long serialVersionUID = 1;

    /**
     * @param message one line for the operator.
     */
    public ConfigurationException(final String message)
    {
        super(message);
    }

    /**
     * @param message one line for the operator.
     * @param cause   what found the mistake.
     */
    public ConfigurationException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    @Override
    public OperatorError error()
    {
        return OperatorError.CONFIGURATION;
    }
}
