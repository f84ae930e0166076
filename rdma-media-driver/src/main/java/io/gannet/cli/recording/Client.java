package io.gannet.cli.recording;

import io.gannet.Channel;
import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * The option that names the driver, and the connection to it.
 */
final class Client
{
    @Option(names = "--dir", paramLabel = "PATH",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    Gannet connect(final String name)
    {
        final Gannet.Context context = new Gannet.Context().name(name);
        if (directory != null)
        {
            context.directory(directory);
        }
        try
        {
            return Gannet.connect(context);
        }
        catch (final GannetException | IllegalStateException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }

    static void checkChannel(final String channel)
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
}
