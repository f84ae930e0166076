package io.gannet.cli;

import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.DriverInfo;
import io.gannet.control.GannetDirectory;
import io.gannet.monitor.Health;

/**
 * What a tool sees of a directory: its last driver, dead or alive, and that driver's control file.
 */
final class DirectoryView implements AutoCloseable
{
    private final GannetDirectory directory;
    private final DriverFile driverFile;
    private final ControlFile controlFile;

    private DirectoryView(
        final GannetDirectory directory, final DriverFile driverFile, final ControlFile controlFile)
    {
        this.directory = directory;
        this.driverFile = driverFile;
        this.controlFile = controlFile;
    }

    /**
     * Opens the files of a directory.
     *
     * @throws OperatorException if there was never a driver, or its files can't be read.
     */
    static DirectoryView open(final GannetDirectory directory)
    {
        DriverFile driverFile = null;
        try
        {
            driverFile = DriverFile.open(directory, false);
            return new DirectoryView(directory, driverFile, ControlFile.open(directory, false));
        }
        catch (final ControlException e)
        {
            if (driverFile != null)
            {
                driverFile.close();
            }
            throw new OperatorException(e.reason() == ControlException.Reason.MISSING ?
                "no driver was ever started in " + directory + ". Start one: gannet driver --dir " + directory :
                e.getMessage(), e);
        }
    }

    ControlFile control()
    {
        return controlFile;
    }

    DriverInfo driver()
    {
        return controlFile.driver();
    }

    /** In a word: running, silent if its conductor has not turned for long, starting, stopped, or dead. */
    String state()
    {
        return state(Health.DEFAULT_MAX_AGE_MILLIS);
    }

    String state(final long maxAgeMillis)
    {
        return Health.of(driverFile, directory, maxAgeMillis, true).life().toString();
    }

    @Override
    public void close()
    {
        driverFile.close();
        controlFile.close();
    }
}
