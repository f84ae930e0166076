package io.gannet.samples.marketdata.cli;

import io.gannet.Gannet;
import io.gannet.samples.Connections;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * Where a feed is: options that publisher and subscriber share.
 */
final class FeedConnection
{
    /** Reading and writing by SBE in any order costs checks; they are for tests. */
    private static final String CHECKS = "sbe.enable.precedence.checks";

    static
    {
        if (System.getProperty(CHECKS) == null)
        {
            System.setProperty(CHECKS, "false");
        }
    }

    @Option(names = "--dir", paramLabel = "DIR",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--channel", defaultValue = "gannet:ipc", description = "Default: ${DEFAULT-VALUE}.")
    private String channel;

    @Option(names = "--stream", defaultValue = "1001", description =
        "Stream of the incremental feed; snapshots are on the next. Default: ${DEFAULT-VALUE}.")
    private int stream;

    @Option(names = "--seconds", defaultValue = "0", description = "End after so long; 0: no limit.")
    private double seconds;

    @Option(names = "--child", hidden = true, description = "Report to a parent process; end with standard input.")
    private boolean child;

    String channel()
    {
        return channel;
    }

    int stream()
    {
        return stream;
    }

    boolean isChild()
    {
        return child;
    }

    StopSignal stopSignal()
    {
        return new StopSignal(seconds, child);
    }

    Gannet connect(final String name)
    {
        Connections.checkChannel(channel);
        return Connections.connect(directory, name);
    }
}
