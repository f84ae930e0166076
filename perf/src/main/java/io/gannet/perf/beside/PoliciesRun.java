package io.gannet.perf.beside;

import io.gannet.perf.rig.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What inline small writes and completions by load save, by size and load: with both, with either, with neither. The
 * settings of a cell take turns.
 */
public final class PoliciesRun
{
    private static final List<Policy> POLICIES = List.of(
        new Policy("both on", List.of()),
        new Policy("inline off", List.of("inline-threshold=0")),
        new Policy("every CQE", List.of("signal-interval=1")),
        new Policy("both off", List.of("inline-threshold=0", "signal-interval=1")));

    private static final int MESSAGES = 0;
    private static final int REQUESTS = 1;
    private static final int POSTS = 2;
    private static final int SIGNALED = 3;
    private static final int FETCHED = 5;
    private static final int DEVICE = 6;
    private static final int LEAST = DEVICE + FakeTotals.COUNT;
    private static final int MEDIAN = LEAST + 1;

    private final List<String> addresses;
    private final boolean fake;
    private final List<Integer> sizes;
    private final List<Integer> rows;
    private final int rounds;
    private final long millis;
    private final List<String> flags;
    private final PrintWriter out;

    /**
     * @param addresses two of RDMA devices of this machine.
     * @param fake      whether on the fake device.
     * @param sizes     bytes of a message.
     * @param rows      messages in a row.
     * @param rounds    runs of each cell.
     * @param millis    of each run.
     * @param flags     further JVM flags of measured processes.
     */
    public PoliciesRun(
        final List<String> addresses,
        final boolean fake,
        final List<Integer> sizes,
        final List<Integer> rows,
        final int rounds,
        final long millis,
        final List<String> flags,
        final PrintWriter out)
    {
        this.flags = flags;
        this.addresses = addresses;
        this.fake = fake;
        this.sizes = sizes;
        this.rows = rows;
        this.rounds = rounds;
        this.millis = millis;
        this.out = out;
    }

    private record Policy(String name, List<String> options)
    {
    }

    /** Prints the table. */
    public void run() throws IOException, InterruptedException
    {
        out.println("Per message: work requests, posts, completions of sends asked for, bytes that the NIC reads for " +
            "sends (data; " + (fake ? "requests" : "requests are not known of this device") + ")" +
            (fake ? ", completions polled in all" : "") + ". Half round trip of a row, us: least, least median.");
        out.printf("%6s %5s  %-11s %9s %9s %9s %11s %11s %9s %9s %9s%n", "#bytes", "row", "policies", "requests",
            "posts", "sent CQEs", "data read", "reqs read", "CQEs", "least", "median");
        if (fake)
        {
            try (CPrograms programs = CPrograms.compile(true))
            {
                cells(List.of("LD_LIBRARY_PATH=" + programs.fakeLibraries()));
            }
        }
        else
        {
            cells(List.of());
        }
    }

    private void cells(final List<String> environment) throws IOException, InterruptedException
    {
        final List<ChildProcess> processes = new ArrayList<>();
        try
        {
            for (final Policy policy : POLICIES)
            {
                final List<String> words = new ArrayList<>(List.of(PolicyLoop.NAME));
                words.addAll(addresses);
                words.add(Long.toString(millis));
                words.addAll(policy.options());
                processes.add(LoopMain.start(policy.name(), environment, flags, words.toArray(String[]::new)));
            }
            for (final int size : sizes)
            {
                for (final int row : rows)
                {
                    cell(processes, size, row);
                }
            }
        }
        finally
        {
            processes.forEach(ChildProcess::close);
        }
    }

    private void cell(final List<ChildProcess> processes, final int size, final int row)
        throws IOException, InterruptedException
    {
        final double[][] best = new double[POLICIES.size()][];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < best.length; i++)
            {
                final String counted =
                    LoopMain.run(processes.get(i), Integer.toString(size), Integer.toString(row));
                best[i] = better(best[i],
                    Arrays.stream(counted.split(" ", -1)).mapToDouble(Double::parseDouble).toArray());
            }
        }
        for (int i = 0; i < best.length; i++)
        {
            print(size, row, POLICIES.get(i), best[i]);
        }
        out.flush();
    }

    /** Counts are summed up, times are the least. */
    private static double[] better(final double[] before, final double[] now)
    {
        if (before == null)
        {
            return now;
        }
        for (int i = 0; i < LEAST; i++)
        {
            now[i] += before[i];
        }
        now[LEAST] = Math.min(now[LEAST], before[LEAST]);
        now[MEDIAN] = Math.min(now[MEDIAN], before[MEDIAN]);
        return now;
    }

    private void print(final int size, final int row, final Policy policy, final double[] values)
    {
        final double messages = values[MESSAGES];
        out.printf(Locale.ROOT, "%6d %5d  %-11s %9.3f %9.3f %9.3f %11.1f %11s %9s %9.2f %9.2f%n", size, row,
            policy.name(), values[REQUESTS] / messages, values[POSTS] / messages, values[SIGNALED] / messages,
            values[FETCHED] / messages,
            fake ? text("%.1f", values[DEVICE + FakeTotals.WORK_REQUEST_BYTES] / messages) : "-",
            fake ? text("%.3f", values[DEVICE + FakeTotals.COMPLETIONS] / messages) : "-",
            values[LEAST] / 1e3, values[MEDIAN] / 1e3);
    }

    private static String text(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }
}
