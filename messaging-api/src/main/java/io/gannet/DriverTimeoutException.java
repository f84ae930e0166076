package io.gannet;

/**
 * The driver didn't answer within {@link Gannet.Context#driverTimeout()}; the message says what was waited for. What
 * was asked for has been taken back.
 */
public final class DriverTimeoutException extends GannetException
{
    private static final long serialVersionUID = 1L;
    private static final int CODE = 331;

    DriverTimeoutException(final String message)
    {
        super(CODE, message, null);
    }
}
