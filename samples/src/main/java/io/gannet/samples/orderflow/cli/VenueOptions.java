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

    /** One message names the option, its value and what is possible. */
    static void require(final String option, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw new UsageException(option + " " + value + ": must be from " + least + " to " + most);
        }
    }

    /** Before anything runs. */
    void check()
    {
        require("--stream", stream, 1, 2_000_000_000);
        require("--instruments", instruments, 1, 1_000);
        if (!(seconds >= 0 && seconds <= 1e9))
        {
            throw new UsageException("--seconds " + seconds + ": must be 0 or more, at most 1000000000");
        }
        waiting();
        checkChannel(in);
        checkChannel(out);
    }

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

    /** One that was not given is well. */
    static void checkChannel(final String channel)
    {
        if (channel != null)
        {
            Connections.checkChannel(channel);
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
