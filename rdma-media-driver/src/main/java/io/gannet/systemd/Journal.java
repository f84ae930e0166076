package io.gannet.systemd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Whether standard error goes to the journal, which takes a line's priority from its start. */
public final class Journal
{
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Journal()
    {
    }

    /**
     * Whether standard error is the stream that {@code JOURNAL_STREAM} names, see systemd.exec(5).
     *
     * @param environment of the process.
     */
    public static boolean takesStandardError(final Map<String, String> environment)
    {
        return takes(environment, STANDARD_ERROR);
    }

    static boolean takes(final Map<String, String> environment, final Path stream)
    {
        final String journal = environment.get("JOURNAL_STREAM");
        if (journal == null)
        {
            return false;
        }
        try
        {
            return journal.equals(
                Files.getAttribute(stream, "unix:dev") + ":" + Files.getAttribute(stream, "unix:ino"));
        }
        catch (final IOException unknown)
        {
            return false;
        }
    }
}
