package io.gannet.perf.beside;

import io.gannet.perf.rig.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Latency of one small message at a time, half of the round trip: perftest, the loop of Gannet's binding in C and
 * through the binding, and messages between publisher and subscriber. All sides take turns; what is compared is the
 * least of each side's runs, which other programs disturb least.
 */
public final class PerftestRun
{
    private static final double C_LIMIT = 1.10;
    private static final double PERFTEST_LIMIT = 1.3;
    private static final double MESSAGE_AIM = 3;
    private static final int FEWEST_TRIPS = 1000;

    private static final String PERFTEST = "ib_write_lat";
    private static final String C_WRITE = "C, write";
    private static final String WRITE = "perf verbs, write";
    private static final String C_IMM = "C, write with immediate";
    private static final String IMM = "perf verbs, write with immediate";
    private static final String INVOKED = "publisher to subscriber, drivers invoked";
    private static final String YIELDING = "publisher to subscriber, yielding drivers";

    private final PerftestOptions options;
    private final PrintWriter out;

    public PerftestRun(final PerftestOptions options, final PrintWriter out)
    {
        this.options = options;
        this.out = out;
    }

    /** {@return whether the limits hold for all sizes, as far as there was something to compare} */
    public boolean run() throws IOException, InterruptedException
    {
        boolean met = true;
        try (CPrograms programs = CPrograms.compile(options.fake()))
        {
            for (final int size : options.sizes())
            {
                met &= run(programs, size);
            }
        }
        return met;
    }

    private boolean run(final CPrograms programs, final int size) throws IOException, InterruptedException
    {
        final Map<String, List<Trips>> results = new LinkedHashMap<>();
        final boolean hasPerftest = !options.fake() && Perftest.isInstalled();
        final Perftest perftest = new Perftest(options.addresses().getLast());
        final boolean yields = Runtime.getRuntime().availableProcessors() < 4;
        try (ChildProcess write = start(programs, WriteLoop.NAME, "write", size, options.inline());
            ChildProcess imm = start(programs, WriteLoop.NAME, "imm", size, options.inline());
            ChildProcess invoked = startMessages(programs, "invoked", size);
            ChildProcess yielding = startMessages(programs, "yielding", size))
        {
            for (int i = 0; i < options.rounds(); i++)
            {
                if (hasPerftest)
                {
                    add(results, PERFTEST, perftest.run(size, options.inline(), options.iterations()));
                }
                add(results, C_WRITE, c(programs, false, size, yields));
                add(results, WRITE, Trips.parse(LoopMain.run(write)));
                add(results, C_IMM, c(programs, true, size, yields));
                add(results, IMM, Trips.parse(LoopMain.run(imm)));
                if (options.messages())
                {
                    add(results, INVOKED, Trips.parse(LoopMain.run(invoked)));
                    add(results, YIELDING, Trips.parse(LoopMain.run(yielding)));
                }
            }
        }
        return print(results, size, hasPerftest);
    }

    private ChildProcess startMessages(final CPrograms programs, final String kind, final int size)
        throws IOException, InterruptedException
    {
        return options.messages() ? start(programs, MessageLoop.NAME, kind, size) : null;
    }

    private ChildProcess start(
        final CPrograms programs, final String loop, final String kind, final int size, final Object... more)
        throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>(List.of(loop));
        words.addAll(options.addresses());
        words.add(kind);
        words.add(Integer.toString(size));
        for (final Object word : more)
        {
            words.add(word.toString());
        }
        words.add(Long.toString(options.millis()));
        return LoopMain.start(loop + " " + kind,
            options.fake() ? List.of("LD_LIBRARY_PATH=" + programs.fakeLibraries()) : List.of(), options.flags(),
            words.toArray(String[]::new));
    }

    private Trips c(final CPrograms programs, final boolean immediate, final int size, final boolean yields)
        throws IOException, InterruptedException
    {
        return programs.writeLoop(options.addresses().getFirst(), options.addresses().getLast(), immediate, size,
            options.inline(), options.millis(), yields);
    }

    private static void add(final Map<String, List<Trips>> results, final String side, final Trips trips)
    {
        results.computeIfAbsent(side, key -> new ArrayList<>()).add(trips);
    }

    private boolean print(final Map<String, List<Trips>> results, final int size, final boolean hasPerftest)
    {
        out.printf("%nHalf round trip of %d bytes, us, %d alternating runs of each%n", size, options.rounds());
        out.printf("%-44s %10s %16s %12s%n", "", "least", "least median", "trips");
        results.forEach((side, runs) -> out.printf(Locale.ROOT, "%-44s %10.2f %16.2f %12d%n", side,
            least(runs) / 1e3, runs.stream().mapToDouble(Trips::median).min().orElseThrow() / 1e3,
            trips(runs)));
        boolean met = bar(results, WRITE, C_WRITE, C_LIMIT);
        met &= bar(results, IMM, C_IMM, C_LIMIT);
        if (hasPerftest)
        {
            met &= bar(results, WRITE, PERFTEST, PERFTEST_LIMIT);
            met &= bar(results, IMM, PERFTEST, PERFTEST_LIMIT);
            if (options.messages())
            {
                aim(results, INVOKED);
                aim(results, YIELDING);
            }
        }
        else
        {
            out.println("not seen beside " + PERFTEST + (options.fake() ? ": it cannot use the fake device" :
                ": it is not installed (package perftest)"));
        }
        out.flush();
        return met;
    }

    private boolean bar(
        final Map<String, List<Trips>> results, final String side, final String other, final double limit)
    {
        if (trips(results.get(side)) < FEWEST_TRIPS || trips(results.get(other)) < FEWEST_TRIPS)
        {
            out.printf("%-60s not seen: fewer than %d trips%n", side + " / " + other, FEWEST_TRIPS);
            return true;
        }
        final double ratio = least(results.get(side)) / least(results.get(other));
        out.printf(Locale.ROOT, "%-60s %6.2f  <= %.2f %s%n", side + " / " + other, ratio, limit,
            BindingRun.word(ratio <= limit));
        return ratio <= limit;
    }

    private void aim(final Map<String, List<Trips>> results, final String side)
    {
        out.printf(Locale.ROOT, "%-60s %6.2f  aim <= %.0f%n", side + " / " + PERFTEST,
            least(results.get(side)) / least(results.get(PERFTEST)), MESSAGE_AIM);
    }

    private static long trips(final List<Trips> runs)
    {
        return runs.stream().mapToLong(Trips::count).sum();
    }

    private static double least(final List<Trips> runs)
    {
        return runs.stream().mapToDouble(Trips::least).min().orElseThrow();
    }
}
