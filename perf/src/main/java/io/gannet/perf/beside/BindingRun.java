package io.gannet.perf.beside;

import io.gannet.perf.rig.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Fill and post of one inline write with immediate on the fake device, by Gannet's binding and in C: with calls that
 * leave the thread's state alone, and with plain ones. The limits are for the ratio to C with the same duties, see
 * {@code post_loop.c}; C that does nothing but fill and post is shown beside it.
 */
public final class BindingRun
{
    private static final double CRITICAL_LIMIT = 1.2;
    private static final double PLAIN_LIMIT = 2;
    /** Some 5 ms, so that some runs find the processor to themselves. */
    private static final long POSTS = 400_000;
    private static final int DEPTH = 128;

    private final List<Integer> sizes;
    private final int jvms;
    private final int rounds;
    private final PrintWriter out;

    /**
     * @param sizes  bytes of a write.
     * @param jvms   pairs of processes, one after the other, as compiled code differs from one to the next.
     * @param rounds runs of each side per pair; the least of them count.
     */
    public BindingRun(final List<Integer> sizes, final int jvms, final int rounds, final PrintWriter out)
    {
        this.sizes = sizes;
        this.jvms = jvms;
        this.rounds = rounds;
        this.out = out;
    }

    /** {@return whether both limits hold for all sizes} */
    public boolean run() throws IOException, InterruptedException
    {
        boolean met = true;
        try (CPrograms programs = CPrograms.compile(true))
        {
            out.printf("Fill and post of one inline write with immediate, ns, least of %d alternating runs of each " +
                "side; medians of %d pairs of JVMs%n", rounds, jvms);
            out.printf("%8s %8s %8s %10s %7s %13s %7s %10s %7s %7s%n", "#bytes", "bare C", "same, C", "critical",
                "ratio", "least..most", "<= 1.2", "plain", "ratio", "<= 2.0");
            for (final int size : sizes)
            {
                met &= run(programs, size);
                out.flush();
            }
        }
        return met;
    }

    private boolean run(final CPrograms programs, final int size) throws IOException, InterruptedException
    {
        final List<Least> all = new ArrayList<>();
        for (int i = 0; i < jvms; i++)
        {
            all.add(least(programs, size));
        }
        final double[] ratios = all.stream().mapToDouble(least -> least.critical / least.c).sorted().toArray();
        final double critical = median(ratios);
        final double plain = median(all, least -> least.plain / least.c);
        final boolean criticalMet = critical <= CRITICAL_LIMIT;
        final boolean plainMet = plain <= PLAIN_LIMIT;
        out.printf(Locale.ROOT, "%8d %8.2f %8.2f %10.2f %7.2f %13s %7s %10.2f %7.2f %7s%n", size,
            median(all, least -> least.bare), median(all, least -> least.c), median(all, least -> least.critical),
            critical, String.format(Locale.ROOT, "%.2f..%.2f", ratios[0], ratios[ratios.length - 1]),
            word(criticalMet), median(all, least -> least.plain), plain, word(plainMet));
        return criticalMet && plainMet;
    }

    private Least least(final CPrograms programs, final int size) throws IOException, InterruptedException
    {
        final List<String> environment =
            List.of("LD_LIBRARY_PATH=" + programs.fakeLibraries(), "GANNET_FAKE_DELIVER=0");
        double bare = Double.MAX_VALUE;
        double c = Double.MAX_VALUE;
        double critical = Double.MAX_VALUE;
        double plain = Double.MAX_VALUE;
        try (ChildProcess first = start(environment, size, "critical");
            ChildProcess second = start(environment, size, "plain"))
        {
            for (int i = 0; i < rounds; i++)
            {
                bare = Math.min(bare, programs.postLoop(false, size, DEPTH, POSTS));
                c = Math.min(c, programs.postLoop(true, size, DEPTH, POSTS));
                critical = Math.min(critical, Double.parseDouble(LoopMain.run(first)));
                plain = Math.min(plain, Double.parseDouble(LoopMain.run(second)));
            }
        }
        return new Least(bare, c, critical, plain);
    }

    private static double median(final List<Least> all, final ToDoubleFunction<Least> value)
    {
        return median(all.stream().mapToDouble(value).sorted().toArray());
    }

    private static double median(final double[] sorted)
    {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static ChildProcess start(final List<String> environment, final int size, final String calls)
        throws IOException, InterruptedException
    {
        return LoopMain.start("post loop, " + calls, environment, List.of(), PostLoop.NAME, Integer.toString(size),
            Integer.toString(DEPTH), Long.toString(POSTS), calls);
    }

    static String word(final boolean met)
    {
        return met ? "pass" : "FAIL";
    }

    /** Nanoseconds per post, the least of one pair of JVMs and the runs in C between theirs. */
    private record Least(double bare, double c, double critical, double plain)
    {
    }
}
