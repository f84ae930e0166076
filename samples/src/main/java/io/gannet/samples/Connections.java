package io.gannet.samples;

import io.gannet.Channel;
import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Connects commands to a driver; what goes wrong becomes one line for the operator.
 */
public final class Connections
{
    /** Seconds for which a driver is waited for, where hosts are too slow for the default of {@link Gannet.Context}. */
    private static final String DRIVER_TIMEOUT = "gannet.driver-timeout";

    private Connections()
    {
    }

    /**
     * Checks an option that is a channel.
     *
     * @throws OperatorException if it is malformed.
     */
    public static void checkChannel(final String channel)
    {
        try
        {
            Channel.parse(channel);
        }
        catch (final IllegalArgumentException malformed)
        {
            throw new UsageException("--channel " + channel + ": " + malformed.getMessage(), malformed);
        }
    }

    /**
     * Connects to a driver.
     *
     * @param directory of the driver; null: the user's default.
     * @param name      of this client for others; null: the default.
     * @throws OperatorException if there is none in time, or a JVM flag is missing.
     */
    public static Gannet connect(final Path directory, final String name)
    {
        final Gannet.Context context = new Gannet.Context();
        final Integer timeout = Integer.getInteger(DRIVER_TIMEOUT);
        if (timeout != null)
        {
            context.driverTimeout(timeout, TimeUnit.SECONDS);
        }
        if (directory != null)
        {
            context.directory(directory);
        }
        if (name != null)
        {
            context.name(name);
        }
        try (SlowStart _ = new SlowStart("waiting for a driver in " + context.directory()))
        {
            return Gannet.connect(context);
        }
        catch (final GannetException | IllegalStateException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }
}
