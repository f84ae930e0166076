package io.gannet.driver;

import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import io.gannet.os.FileWatch;
import java.util.List;

/**
 * Whether clients can still find this driver, and the driver its own files: the directory, its two folders, the driver
 * and the control file, the pipe by which they wake it. A few system calls and no garbage. For one thread at a time.
 */
final class DirectoryWatch
{
    private final List<FileWatch> watches;
    private final DriverFile driverFile;
    private final ControlFile controlFile;

    DirectoryWatch(final GannetDirectory directory, final DriverFile driverFile, final ControlFile controlFile)
    {
        this.driverFile = driverFile;
        this.controlFile = controlFile;
        watches = List.of(
            FileWatch.ofDirectory(directory.path()),
            new FileWatch(directory.driver(), driverFile.length()),
            new FileWatch(directory.control(), controlFile.length()),
            new FileWatch(directory.pipe(), 0),
            FileWatch.ofDirectory(directory.clients()),
            FileWatch.ofDirectory(directory.rings()));
    }

    /** What is wrong, naming the file; null if nothing is. */
    String problem()
    {
        for (int i = 0; i < watches.size(); i++)
        {
            final String problem = watches.get(i).problem();
            if (problem != null)
            {
                return problem;
            }
        }
        final String problem = driverFile.problem();
        return problem == null ? controlFile.problem() : problem;
    }
}
