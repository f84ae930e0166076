package io.gannet.samples.simple;

import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.cli.OperatorException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * Options that all samples share.
 */
final class Connection
{
    @Option(names = "--dir", paramLabel = "DIR", description = "The driver's directory.")
    private Path directory;

    @Option(names = "--channel", defaultValue = "gannet:ipc", description = "Default: ${DEFAULT-VALUE}.")
    String channel;

    Gannet connect()
    {
        final Gannet.Context context = new Gannet.Context();
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
}
