package io.gannet.driver;

import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import java.nio.file.Path;

/**
 * The counters of a directory's control file, as tools see them.
 *
 * @param directory of the driver.
 */
record DirectoryCounters(Path directory)
{
    /** As below, of one stream alone. */
    long value(final String start, final String part, final int streamId)
    {
        return value(start, part, ", stream " + streamId + ",");
    }

    /** {@return value of the counter whose label starts with one text and has the other; -1 if there is none} */
    long value(final String start, final String part)
    {
        return value(start, part, "");
    }

    private long value(final String start, final String part, final String also)
    {
        final long[] found = {-1};
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            control.countersReader().forEach((value, id, label) ->
            {
                if (label.startsWith(start) && (part.isEmpty() || label.contains(": " + part)) && label.contains(also))
                {
                    found[0] = value;
                }
            });
        }
        return found[0];
    }
}
