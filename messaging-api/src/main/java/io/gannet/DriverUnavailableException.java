package io.gannet;

/**
 * There was no driver to connect to within {@link Gannet.Context#driverTimeout()}.
 */
public final class DriverUnavailableException extends GannetException
{
    private static final long serialVersionUID = 1L;
    private static final int CODE = 330;

    private final DriverState state;

    DriverUnavailableException(final DriverState state, final String message, final Throwable cause)
    {
        super(CODE, message, cause);
        this.state = state;
    }

    /** What was found instead of a driver. */
    public DriverState state()
    {
        return state;
    }
}
