package io.gannet.samples.simple;

import io.gannet.Gannet;
import io.gannet.samples.Connections;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * Options that all samples share.
 */
final class Connection
{
    @Option(names = "--dir", paramLabel = "DIR",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--channel", defaultValue = "gannet:ipc", description = "Default: ${DEFAULT-VALUE}.")
    String channel;

    /** Connects, once the channels are known to be well-formed. */
    Gannet connect(final String... more)
    {
        for (final String other : more)
        {
            Connections.checkChannel(other);
        }
        Connections.checkChannel(channel);
        return Connections.connect(directory, null);
    }
}
