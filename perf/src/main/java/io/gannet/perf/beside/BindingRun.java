package io.gannet.perf.beside;

import io.gannet.perf.rig.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Fill and post of one inline write with immediate on the fake device, by Gannet's binding and in C: with calls that
 * leave the thread's state alone, and with plain ones. The limits are for the ratio to C with the same duties, see
 * {@code post_loop.c}; C that does nothing but fill and post is shown beside it.
 */
public final class BindingRun
{
    private static final double CRITICAL_LIMIT = 1.2;
    private static final double PLAIN_LIMIT = 2;
    private static final long POSTS = 8_000_000;
    private static final int DEPTH = 128;

    private final List<Integer> sizes;
    private final int rounds;
    private final PrintWriter out;

    /**
     * @param sizes  bytes of a write.
     * @param rounds triples of runs.
     */
    public BindingRun(final List<Integer> sizes, final int rounds, final PrintWriter out)
    {
        this.sizes = sizes;
        this.rounds = rounds;
        this.out = out;
    }

    /** {@return whether both limits hold for all sizes} */
    public boolean run() throws IOException, InterruptedException
    {
        boolean met = true;
        try (CPrograms programs = CPrograms.compile(true))
        {
            out.printf("Fill and post of one inline write with immediate, ns, least of %d alternating runs%n", rounds);
            out.printf("%8s %8s %8s %10s %7s %7s %10s %7s %7s%n", "#bytes", "bare C", "same, C", "critical", "ratio",
                "<= 1.2", "plain", "ratio", "<= 2.0");
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
        final boolean criticalMet = critical <= CRITICAL_LIMIT * c;
        final boolean plainMet = plain <= PLAIN_LIMIT * c;
        out.printf(Locale.ROOT, "%8d %8.2f %8.2f %10.2f %7.2f %7s %10.2f %7.2f %7s%n", size, bare, c, critical,
            critical / c, word(criticalMet), plain, plain / c, word(plainMet));
        return criticalMet && plainMet;
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
}
