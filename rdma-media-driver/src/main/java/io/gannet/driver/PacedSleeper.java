package io.gannet.driver;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A bell that does not wait long for its ring while the software NIC has connections: neither packets nor publishers
 * ring it.
 *
 * @param bell  that rings for everything else.
 * @param paced whether there are connections.
 */
record PacedSleeper(Sleeper bell, BooleanSupplier paced) implements Sleeper
{
    private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

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
        bell.sleep(paced.getAsBoolean() ? Math.min(timeoutNanos, PACE_NANOS) : timeoutNanos);
    }

    @Override
    public void ring()
    {
        bell.ring();
    }
}
