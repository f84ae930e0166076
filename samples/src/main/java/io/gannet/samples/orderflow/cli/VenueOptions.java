package io.gannet.samples.orderflow.cli;

import io.gannet.Gannet;
import io.gannet.cli.UsageException;
import io.gannet.samples.Connections;
import io.gannet.samples.marketdata.cli.StopSignal;
import io.gannet.samples.orderflow.link.GannetTransport;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Waiting;
import io.gannet.samples.orderflow.matching.Tradables;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/**
 * What all processes of a venue are told alike.
 */
final class VenueOptions
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

    @Option(names = "--in", paramLabel = "CHANNEL", defaultValue = "gannet:ipc?ring=4m",
        description = "Channel of the streams that come in. Default: ${DEFAULT-VALUE}.")
    private String in;

    @Option(names = "--out", paramLabel = "CHANNEL", defaultValue = "gannet:ipc?ring=4m",
        description = "Channel of the streams that go out. Default: ${DEFAULT-VALUE}.")
    private String out;

    @Option(names = "--stream", defaultValue = "2001", description =
        "First of the venue's streams. Default: ${DEFAULT-VALUE}.")
    private int stream;

    @Option(names = "--instruments", defaultValue = "4", description =
        "Number of instruments, the same for all processes. Default: ${DEFAULT-VALUE}.")
    private int instruments;

    @Option(names = "--waiting", defaultValue = "auto", description =
        "How threads wait: spin, yield, sleep, or auto: by the number of processors. Default: ${DEFAULT-VALUE}.")
    private String waiting;

    @Option(names = "--seconds", defaultValue = "0", description = "End after so long; 0: no limit.")
    private double seconds;

    @Option(names = "--child", hidden = true, description = "Report to a parent process; end with standard input.")
    private boolean child;

    boolean isChild()
    {
        return child;
    }

    double seconds()
    {
        return seconds;
    }

    StopSignal stopSignal()
    {
        return new StopSignal(seconds, child);
    }

    Streams streams()
    {
        return new Streams(stream);
    }

    Tradables tradables()
    {
        if (instruments < 1 || instruments > 1000)
        {
            throw new UsageException("--instruments " + instruments + ": must be from 1 to 1000");
        }
        return Tradables.example(instruments);
    }

    Waiting waiting()
    {
        try
        {
            return Waiting.of(waiting);
        }
        catch (final IllegalArgumentException unknown)
        {
            throw new UsageException("--waiting " + waiting.toLowerCase(Locale.ROOT) +
                ": spin, yield, sleep and auto are possible", unknown);
        }
    }

    Gannet connect(final String name)
    {
        Connections.checkChannel(in);
        Connections.checkChannel(out);
        return Connections.connect(directory, name);
    }

    GannetTransport transport(final Gannet client)
    {
        return transport(client, null, null);
    }

    /** Over other channels than those of --in and --out, where not null. */
    GannetTransport transport(final Gannet client, final String otherIn, final String otherOut)
    {
        return new GannetTransport(client, otherIn == null ? in : otherIn, otherOut == null ? out : otherOut);
    }
}
