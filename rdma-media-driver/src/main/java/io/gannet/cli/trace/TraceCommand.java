package io.gannet.cli.trace;

import io.gannet.cli.OperatorException;
import io.gannet.cli.Subcommand;
import io.gannet.cli.UsageException;
import io.gannet.control.GannetDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    @Option(names = "--json", description = "Prints one JSON object, times in nanoseconds.")
    private boolean json;

    @Override
    public Integer call()
    {
        atLeast(1, "--samples", samples);
        atLeast(1, "--seconds", seconds);
        atLeast(0, "--interval", intervalMicros);
        atLeast(1, "--resolution", resolutionMicros);
        final List<GannetDirectory> where = directories.isEmpty() ? List.of(GannetDirectory.ofUser()) :
            directories.stream().map(GannetDirectory::new).toList();
        for (final GannetDirectory each : where)
        {
            if (!Files.isDirectory(each.rings()))
            {
                throw new OperatorException(Files.isDirectory(each.path()) && !Files.isExecutable(each.path()) ?
                    each + " may not be entered by this user: run this as its owner, or a member of its group" :
                    "no driver was ever started in " + each);
            }
        }
        try (Hops hops = Hops.open(where, stream, session))
        {
            check(hops);
            trace(hops);
            return 0;
        }
        catch (final IOException e)
        {
            throw new OperatorException("cannot read the rings: " + e, e);
        }
        catch (final InternalError truncated)
        {
            throw new OperatorException("a ring of stream " + stream + " was truncated while it was looked at",
                truncated);
        }
    }

    private static void atLeast(final long least, final String option, final long value)
    {
        if (value < least)
        {
            throw new UsageException(option + " " + value + ": at least " + least + " is possible");
        }
    }

    private void check(final Hops hops)
    {
        if (hops.sessions().size() > 1)
        {
            throw new UsageException("stream " + stream + " has the sessions " + hops.sessions() +
                ": choose one with --session");
        }
        if (hops.sessions().isEmpty())
        {
            throw new OperatorException("there is no stream " + stream +
                (session == null ? "" : " of session " + session) +
                (hops.otherStreams().isEmpty() ? "; the driver has none" :
                    "; there are streams " + hops.otherStreams()));
        }
    }

    private void trace(final Hops hops)
    {
        final List<Stage> stages = hops.stages();
        if (stages.isEmpty())
        {
            throw new OperatorException("stream " + stream + " has no subscriber: there is nothing to be timed");
        }
        final Tracer tracer = hops.tracer(stages, TimeUnit.MICROSECONDS.toNanos(intervalMicros),
            TimeUnit.MICROSECONDS.toNanos(resolutionMicros), TimeUnit.SECONDS.toNanos(1), false);
        tracer.run(samples, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
        if (tracer.samples() == 0 && tracer.gone().containsAll(stages))
        {
            throw new OperatorException("all subscribers of stream " + stream + " left before there was a sample");
        }
        if (tracer.samples() == 0)
        {
            throw new OperatorException(tracer.disturbed() + tracer.unfinished() == 0 ?
                "no message of stream " + stream + " came within " + seconds + " s" :
                "no sample of stream " + stream + " is exact to " + resolutionMicros + " us: " + tracer.disturbed() +
                    " left out as this tracer was held up, " + tracer.unfinished() + " as they did not arrive within " +
                    "a second. Give it a processor, or raise --resolution");
        }
        if (json)
        {
            System.out.println(TraceJson.of(stream, hops.first(), tracer, stages));
        }
        else
        {
            print(hops.first(), tracer, stages);
        }
    }

    private static void print(final String first, final Tracer tracer, final List<Stage> stages)
    {
        System.out.printf(Locale.ROOT, "%d samples; left out: %d as this tracer was held up, %d as they did not " +
            "arrive within a second%n", tracer.samples(), tracer.disturbed(), tracer.unfinished());
        System.out.printf(Locale.ROOT, "times in us, exact to %.2f (median), %.2f (99 %% of samples)%n",
            micros(tracer.looks().percentile(50)), micros(tracer.looks().percentile(99)));
        System.out.printf(Locale.ROOT, "%-58s %9s %9s %9s %9s %9s%n", "hop", "50 %", "90 %", "99 %", "99.9 %", "max");
        for (final Stage stage : tracer.gone())
        {
            System.out.printf(Locale.ROOT, "%s has left: after %d samples%n", stage.name(), stage.fromStart().count());
        }
        for (final Stage stage : stages)
        {
            if (stage.fromStart().count() == 0)
            {
                continue;
            }
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
