package io.gannet.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the checks. Takes as long as it watches the counters, plus what the host's own tools take.
 */
public final class Doctor
{
    private Doctor()
    {
    }

    /**
     * Looks at a host.
     *
     * @param root      {@code /} for this one, else a directory with its /sys and /proc.
     * @param process   id of the process whose limits, processors and Java are looked at; 0 for this one.
     * @param directory of the driver on that host.
     * @param local     leaves out what only matters to RDMA.
     * @param watch     milliseconds for which counters are watched; 0 on another host's tree.
     * @return the results, in the order of the checks.
     */
    public static List<Result> examine(
        final Path root, final long process, final Path directory, final boolean local, final long watch)
    {
        return examine(root, process, directory, local, watch, () -> pause(watch));
    }

    /** For tests: with something else to do than to wait. */
    static List<Result> examine(
        final Path root,
        final long process,
        final Path directory,
        final boolean local,
        final long watch,
        final Runnable pause)
    {
        final Host host = new Host(
            new Tree(root.toAbsolutePath().normalize()), process == 0 ? "self" : Long.toString(process),
            directory.toString());
        if (watch > 0 && !local && !host.ports().isEmpty())
        {
            final long start = System.nanoTime();
            pause.run();
            host.watched((System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1));
        }
        final List<Result> results = new ArrayList<>();
        for (final Check check : Checks.all())
        {
            if (!local || !check.isOfNic())
            {
                examine(check, host, results);
            }
        }
        return results;
    }

    private static void examine(final Check check, final Host host, final List<Result> results)
    {
        final Check.Notes notes = check.new Notes(results);
        if (check.isOfNic() && host.devices().isEmpty() && !(check instanceof DeviceCheck))
        {
            notes.skip("there is no RDMA device");
            return;
        }
        try
        {
            check.examine(host, notes);
        }
        catch (final UnreadableException unknown)
        {
            notes.skip(unknown.getMessage());
        }
    }

    /** The worst of some results. */
    public static Severity worst(final List<Result> results)
    {
        return results.stream().map(Result::severity).max(Severity::compareTo).orElse(Severity.OK);
    }

    private static void pause(final long millis)
    {
        try
        {
            Thread.sleep(millis);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
