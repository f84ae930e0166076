package io.gannet;

import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.DriverInfo;
import io.gannet.control.GannetDirectory;
import io.gannet.protocol.ConnectDecoder;
import java.nio.file.Files;

/**
 * One look at a directory: which of the states of a driver is there, and the sentence that tells a user.
 *
 * @param driver  open when RUNNING, else null.
 * @param control open when RUNNING, else null.
 */
record DriverProbe(DriverState state, String text, DriverFile driver, ControlFile control)
{
    private static final int PROTOCOL_VERSION = ConnectDecoder.SCHEMA_VERSION;

    private static DriverProbe without(final DriverState state, final String text)
    {
        return new DriverProbe(state, text, null, null);
    }

    static DriverProbe look(final GannetDirectory directory)
    {
        if (!Files.exists(directory.path()))
        {
            return without(DriverState.NO_DRIVER, "directory " + directory + " does not exist. Start a driver there: " +
                "gannet driver --dir " + directory);
        }
        if (!Files.isDirectory(directory.path()))
        {
            throw new GannetException("cannot connect to a driver in " + directory +
                ": that is no directory. Name the directory that the driver was started with");
        }
        DriverFile driver = null;
        try
        {
            driver = DriverFile.open(directory, true);
            final DriverProbe found = look(directory, driver);
            if (found.driver == null)
            {
                driver.close();
            }
            return found;
        }
        catch (final ControlException ex)
        {
            if (driver != null)
            {
                driver.close();
            }
            return without(state(ex), text(directory, ex));
        }
    }

    private static DriverProbe look(final GannetDirectory directory, final DriverFile driver)
    {
        final DriverInfo info = driver.info();
        if (!driver.isAlive())
        {
            return without(DriverState.DEAD, "the last driver in " + directory + ", " + info + ", " +
                (driver.isCleanlyClosed() ? "was stopped" : "died") + ". Start it again");
        }
        if (!driver.isRunning())
        {
            return without(DriverState.STARTING, info + " in " + directory + " is still starting");
        }
        if (Math.abs(info.protocolVersion() - PROTOCOL_VERSION) > 1)
        {
            return without(DriverState.WRONG_VERSION, info + " in " + directory + " speaks protocol version " +
                info.protocolVersion() + ", this client version " + PROTOCOL_VERSION +
                ". They may be one apart: use the same release for both");
        }
        final ControlFile control = ControlFile.open(directory, true);
        if (control.driver().epoch() != info.epoch())
        {
            control.close();
            return without(DriverState.STARTING, info + " in " + directory + " is just starting");
        }
        return new DriverProbe(DriverState.RUNNING, info.toString(), driver, control);
    }

    private static DriverState state(final ControlException ex)
    {
        return switch (ex.reason())
        {
            case MISSING -> DriverState.NO_DRIVER;
            case NO_PERMISSION -> DriverState.NO_PERMISSION;
            case INCOMPLETE -> DriverState.STARTING;
            case WRONG_VERSION -> DriverState.WRONG_VERSION;
            default -> DriverState.NOT_RESPONDING;
        };
    }

    private static String text(final GannetDirectory directory, final ControlException ex)
    {
        return switch (ex.reason())
        {
            case MISSING -> "no driver was started in " + directory + " (" + ex.getMessage() +
                "). Start one: gannet driver --dir " + directory;
            case NO_PERMISSION -> "user " + System.getProperty("user.name") + " may not use the driver in " +
                directory + " (" + ex.getMessage() + ")";
            default -> ex.getMessage();
        };
    }
}
