package io.gannet.perf.rig;

import io.gannet.perf.os.Posix;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives a driver's threads a priority above the measuring threads, which would starve it otherwise.
 */
final class RealTime
{
    private static final int ABOVE_WORKERS = 2;

    private RealTime()
    {
    }

    static void raise(final long pid) throws IOException
    {
        boolean raised = true;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task")))
        {
            for (final Path thread : threads)
            {
                raised &= Posix.realTime(Integer.parseInt(thread.getFileName().toString()), ABOVE_WORKERS);
            }
        }
        if (!raised)
        {
            throw new RigException("real-time scheduling was refused: run as root, or leave --real-time out");
        }
    }
}
