package io.gannet.driver;

import io.gannet.control.Bell;

/**
 * The bell of the driver file: clients and the driver's own threads wake the conductor by it.
 *
 * @param bell of the driver file.
 */
record ConductorBell(Bell bell) implements Sleeper
{
    @Override
    public void arm()
    {
        bell.arm();
    }

    @Override
    public void disarm()
    {
        bell.disarm();
    }

    @Override
    public void sleep(final long timeoutNanos)
    {
        bell.sleep(timeoutNanos);
    }

    @Override
    public void ring()
    {
        bell.ring();
    }
}
