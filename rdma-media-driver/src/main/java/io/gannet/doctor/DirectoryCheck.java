package io.gannet.doctor;

import io.gannet.control.ControlException;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whose the driver's directory is: a live driver's, a dead one's, or of a version that this one can't use. */
final class DirectoryCheck extends Check
{
    DirectoryCheck()
    {
        super("directory", false, "no driver, or a live one, of this user and version",
            "one driver serves a directory; a dead one's rings take memory until the next one has looked at them");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final GannetDirectory directory = new GannetDirectory(host.tree().path(host.directory()));
        final Path path = directory.path();
        if (!Files.exists(path))
        {
            notes.ok(host.directory() + ": not there yet, the driver makes it");
            return;
        }
        if (host.tree().isThisHost() && !Files.isWritable(path))
        {
            notes.error(host.directory() + ": not writable for this user",
                "usermod -aG gannet " + System.getProperty("user.name") + " for a directory of the group, " +
                "else --dir or GANNET_DIR for driver and clients");
            return;
        }
        try (DriverFile driver = DriverFile.open(directory, false))
        {
            final String found = host.directory() + ": " + driver.info();
            if (driver.isAlive())
            {
                notes.ok(found + ", alive");
            }
            else if (driver.isCleanlyClosed())
            {
                notes.ok(found + ", stopped");
            }
            else
            {
                notes.warning(found + ", died", "gannet driver --dir " + host.directory() +
                    ": it takes over what is alive and removes the rest");
            }
        }
        catch (final ControlException problem)
        {
            switch (problem.reason())
            {
                case MISSING, INCOMPLETE -> notes.ok(host.directory() + ": no driver so far");
                default -> notes.error(host.directory() + ": " + problem.getMessage(),
                    "use the release that made it, or another directory; remove its files when nobody uses them");
            }
        }
    }
}
