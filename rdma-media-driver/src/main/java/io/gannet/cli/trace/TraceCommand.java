package io.gannet.cli.trace;

import io.gannet.cli.OperatorException;
import io.gannet.cli.Subcommand;
import io.gannet.cli.UsageException;
import io.gannet.control.GannetDirectory;
import io.gannet.monitor.ClientNames;
import io.gannet.os.LateFault;
import io.gannet.os.OsException;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code gannet trace}: how long messages take from hop to hop.
 */
@Command(name = "trace", description = {
    "Samples messages of a stream and prints percentiles of the time that they take from hop to hop: " +
        "publisher, sender, receiver, subscriber.",
    "It looks at the positions in the rings' headers, which are there anyway: while it doesn't run it " +
        "costs nothing, and no message is marked. While it runs it takes a processor, and reads lines that " +
        "others write.",
    "All hops are seen if sender and receiver run on this machine: name both directories. Of two hosts " +
        "each shows its own hops, as their clocks don't agree."})
public final class TraceCommand implements Subcommand
{
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int SENDER = 3;

    @Parameters(paramLabel = "STREAM", description = "The stream's number.")
    private int stream;

    @Option(names = "--dir", paramLabel = "PATH", description =
        "A driver's directory; may be given more than once. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private List<Path> directories = new ArrayList<>();

    @Option(names = "--session", description = "The session, if the stream has several.")
    private Integer session;

    @Option(names = "--samples", defaultValue = "10000", description = "Default: ${DEFAULT-VALUE}.")
    private long samples;

    @Option(names = "--seconds", defaultValue = "10", description = "Ends after that. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(names = "--interval", paramLabel = "US", defaultValue = "500",
        description = "Microseconds between two samples. Default: ${DEFAULT-VALUE}.")
    private long intervalMicros;

    @Option(names = "--resolution", paramLabel = "US", defaultValue = "5", description =
        "Samples are left out whose times are less exact than that, in microseconds. Default: ${DEFAULT-VALUE}.")
    private long resolutionMicros;

    private final List<WatchedRing> rings = new ArrayList<>();
    private final List<GannetDirectory> owners = new ArrayList<>();

    @Override
    public Integer call()
    {
        atLeast(1, "--samples", samples);
        atLeast(1, "--seconds", seconds);
        atLeast(0, "--interval", intervalMicros);
        atLeast(1, "--resolution", resolutionMicros);
        try
        {
            open();
            return trace();
        }
        catch (final InternalError truncated)
        {
            throw new OperatorException("a ring of stream " + stream + " was truncated while it was looked at",
                truncated);
        }
        finally
        {
            rings.forEach(WatchedRing::close);
            LateFault.discard();
        }
    }

    private static void atLeast(final long least, final String option, final long value)
    {
        if (value < least)
        {
            throw new UsageException(option + " " + value + ": at least " + least + " is possible");
        }
    }

    private void open()
    {
        final TreeSet<Integer> others = new TreeSet<>();
        for (final GannetDirectory where : directories.isEmpty() ? List.of(GannetDirectory.ofUser()) :
            directories.stream().map(GannetDirectory::new).toList())
        {
            if (!Files.isDirectory(where.rings()))
            {
                throw new OperatorException(Files.isDirectory(where.path()) && !Files.isExecutable(where.path()) ?
                    where + " may not be entered by this user: run this as its owner, or a member of its group" :
                    "no driver was ever started in " + where);
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(where.rings()))
            {
                for (final Path file : files)
                {
                    add(where, file, others);
                }
            }
            catch (final IOException e)
            {
                throw new OperatorException("cannot read " + where.rings() + ": " + e, e);
            }
        }
        final TreeSet<Integer> sessions = new TreeSet<>();
        rings.forEach(ring -> sessions.add(ring.sessionId()));
        if (sessions.size() > 1)
        {
            throw new UsageException("stream " + stream + " has the sessions " + sessions +
                ": choose one with --session");
        }
        if (rings.isEmpty())
        {
            throw new OperatorException("there is no stream " + stream +
                (session == null ? "" : " of session " + session) +
                (others.isEmpty() ? "; the driver has none" : "; there are streams " + others));
        }
    }

    private void add(final GannetDirectory where, final Path file, final Set<Integer> others)
    {
        final WatchedRing ring;
        try
        {
            ring = WatchedRing.open(file);
        }
        catch (final OsException gone)
        {
            return;
        }
        if (ring == null)
        {
            return;
        }
        if (ring.streamId() == stream && (session == null || session == ring.sessionId()))
        {
            rings.add(ring);
            owners.add(where);
        }
        else
        {
            others.add(ring.streamId());
            ring.close();
        }
    }

    private int trace()
    {
        final int first = publication();
        final WatchedRing source = rings.get(first);
        final boolean image = source.kind() == RingKind.IMAGE;
        final List<Stage> stages = new ArrayList<>();
        Stage sender = null;
        if (!image)
        {
            for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
            {
                if (isGate(source, i, SENDER))
                {
                    sender = new Stage("sender", source.gateAddress(i), null);
                    stages.add(sender);
                }
            }
            addGates(first, null, stages);
        }
        for (int i = 0; i < rings.size(); i++)
        {
            if (rings.get(i).kind() == RingKind.IMAGE)
            {
                Stage receiver = null;
                if (i != first)
                {
                    receiver = new Stage("receiver" + of(i), rings.get(i).receivedAddress(), sender);
                    stages.add(receiver);
                }
                addGates(i, receiver, stages);
            }
        }
        if (stages.isEmpty())
        {
            throw new OperatorException("stream " + stream + " has no subscriber: there is nothing to be timed");
        }
        final Tracer tracer = new Tracer(source, image, stages, TimeUnit.MICROSECONDS.toNanos(intervalMicros),
            TimeUnit.MICROSECONDS.toNanos(resolutionMicros));
        tracer.run(samples, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
        if (tracer.samples() == 0)
        {
            throw new OperatorException(tracer.disturbed() + tracer.unfinished() == 0 ?
                "no message of stream " + stream + " came within " + seconds + " s" :
                "no sample of stream " + stream + " is exact to " + resolutionMicros + " us: " + tracer.disturbed() +
                    " left out as this tracer was held up, " + tracer.unfinished() + " as they did not arrive within " +
                    "a second. Give it a processor, or raise --resolution");
        }
        print(image ? "receiver" : "publisher", tracer, stages);
        return 0;
    }

    /** The ring in which messages are seen first. */
    private int publication()
    {
        for (int i = 0; i < rings.size(); i++)
        {
            if (rings.get(i).kind() != RingKind.IMAGE)
            {
                return i;
            }
        }
        return 0;
    }

    private static boolean isGate(final WatchedRing ring, final int index, final int kind)
    {
        return ring.gateKind(index) == kind && !new Stage("", ring.gateAddress(index), null).isPassed(RingLayout.FREE);
    }

    private void addGates(final int index, final Stage after, final List<Stage> stages)
    {
        final WatchedRing ring = rings.get(index);
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            if (isGate(ring, i, LOCAL))
            {
                stages.add(new Stage("subscriber " + new ClientNames(owners.get(index)).of(ring.gateClient(i)),
                    ring.gateAddress(i), after));
            }
            else if (isGate(ring, i, REMOTE))
            {
                stages.add(new Stage("consumed on another host, and told", ring.gateAddress(i), null));
            }
        }
    }

    private String of(final int index)
    {
        return directories.size() < 2 ? "" : " in " + owners.get(index).path().getFileName();
    }

    private static void print(final String first, final Tracer tracer, final List<Stage> stages)
    {
        System.out.printf(Locale.ROOT, "%d samples; left out: %d as this tracer was held up, %d as they did not " +
            "arrive within a second%n", tracer.samples(), tracer.disturbed(), tracer.unfinished());
        System.out.printf(Locale.ROOT, "times in us, exact to %.2f (median), %.2f (99 %% of samples)%n",
            micros(tracer.looks().percentile(50)), micros(tracer.looks().percentile(99)));
        System.out.printf(Locale.ROOT, "%-58s %9s %9s %9s %9s %9s%n", "hop", "50 %", "90 %", "99 %", "99.9 %", "max");
        for (final Stage stage : stages)
        {
            row((stage.after() == null ? first : stage.after().name()) + " -> " + stage.name(), stage.fromBefore());
            if (stage.after() != null)
            {
                row(first + " -> " + stage.name(), stage.fromStart());
            }
        }
    }

    private static void row(final String name, final Durations durations)
    {
        System.out.printf(Locale.ROOT, "%-58s %9.2f %9.2f %9.2f %9.2f %9.2f%n", name, micros(durations.percentile(50)),
            micros(durations.percentile(90)), micros(durations.percentile(99)), micros(durations.percentile(99.9)),
            micros(durations.percentile(100)));
    }

    private static double micros(final long nanos)
    {
        return nanos / 1e3;
    }
}
