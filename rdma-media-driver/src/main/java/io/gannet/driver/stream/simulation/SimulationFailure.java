package io.gannet.driver.stream.simulation;

/**
 * A run in which something that must hold did not.
 */
public final class SimulationFailure extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    SimulationFailure(final String message)
    {
        super(message);
    }
}
