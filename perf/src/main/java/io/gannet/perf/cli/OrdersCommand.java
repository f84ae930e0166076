package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.chart.MarkdownTables;
import io.gannet.perf.orders.OrdersOptions;
import io.gannet.perf.orders.OrdersRun;
import io.gannet.perf.report.OrdersPage;
import io.gannet.perf.report.OrdersTables;
import io.gannet.perf.rig.Machine;
import io.gannet.perf.rig.RigException;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.RunFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf orders}: clients, gateway and engine, against the same pipeline over Aeron IPC.
 */
@Command(name = "orders", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Measures order flow: load, gateway and matching engine as processes, over Gannet and over Aeron in turn.",
    "Order to ack and to trade at a set rate, from the intended time; then the rate that is sustained."})
public final class OrdersCommand implements Callable<Integer>
{
    @Option(names = "--quick", description = "Five short rounds; below 60 s on a machine that is otherwise idle.")
    private boolean quick;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--rate", defaultValue = "50000", description =
        "Requests per second of the open loop. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--burst", defaultValue = "20", description =
        "Of each thousand requests so many come at once. Default: ${DEFAULT-VALUE}.")
    private int burst;

    @Option(names = "--sessions", defaultValue = "2000", description = "Clients. Default: ${DEFAULT-VALUE}.")
    private int sessions;

    @Option(names = "--window", defaultValue = "1000", description =
        "Requests in flight while the sustained rate is measured. Default: ${DEFAULT-VALUE}.")
    private int window;

    @Option(names = "--phase", paramLabel = "MS", description =
        "Length of a phase in milliseconds. Default: 5000; quick: 1200.")
    private Integer phaseMillis;

    @Option(names = "--ring", paramLabel = "MIB", defaultValue = "1", description =
        "Ring, or term, in MiB, a power of two. Default: ${DEFAULT-VALUE}.")
    private int ringMiB;

    @Option(names = "--waiting", defaultValue = "yield", description =
        "How threads wait, of both peers: spin, yield, sleep. Default: ${DEFAULT-VALUE}.")
    private String waiting;

    @Option(names = "--journal", paramLabel = "MIB", defaultValue = "32", description = {
        "Size of a file of the engine's journal; two are made before the first phase. Default: ${DEFAULT-VALUE}.",
        "As large as a run, 512 to 1024, the making of files takes no processor time from what is measured."})
    private int journalMiB;

    @Option(names = "--engine-alone", description = {
        "The engine's thread has the last processor for itself, and all else, drivers too, the others.",
        "Default: the kernel shares the processors out."})
    private boolean engineAlone;

    @Option(names = "--json", paramLabel = "FILE", arity = "0..1", fallbackValue = "-",
        description = "Writes rows, machine and configuration; to standard output without FILE.")
    private String json;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes one self-contained HTML page.")
    private Path report;

    @Option(names = "--document", paramLabel = "FILE", description =
        "Refreshes the tables of order flow in a Markdown file.")
    private Path document;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        require("--rounds", rounds, 1, 1000);
        require("--rate", rate, 100, 10_000_000);
        require("--burst", burst, 0, 1000);
        require("--sessions", sessions, 1, 20_000);
        require("--window", window, 1, 100_000);
        require("--ring", ringMiB, 1, 256);
        require("--journal", journalMiB, 1, 1024);
        final int millis = phaseMillis == null ? quick ? 1_200 : 5_000 : phaseMillis;
        require("--phase", millis, 10, 600_000);
        if (Integer.bitCount(ringMiB) != 1)
        {
            throw new UsageException("--ring " + ringMiB + ": must be a power of two");
        }
        if (!waiting.matches("spin|yield|sleep"))
        {
            throw new UsageException("--waiting " + waiting + ": spin, yield and sleep are possible");
        }
        final OrdersOptions options =
            new OrdersOptions(rounds, rate, burst, sessions, window, millis, ringMiB << 20, waiting,
                journalMiB << 20, engineAlone ? lastProcessor() : -1);
        final Map<String, String> machine = Machine.describe();
        final OrdersRun run = new OrdersRun(options, writer(System.err));
        try
        {
            run.run();
        }
        catch (final RigException e)
        {
            throw new OperatorException(e.getMessage(), e);
        }
        final RunFile file = new RunFile(machine, configuration(options), run.rows(), OrdersRun.bars(run.rows()));
        final boolean jsonToOutput = "-".equals(json);
        table(file, writer(jsonToOutput ? System.err : System.out));
        if (jsonToOutput)
        {
            System.out.print(file.toJson());
            System.out.flush();
        }
        else if (json != null)
        {
            Files.writeString(Path.of(json), file.toJson());
        }
        if (report != null)
        {
            Files.writeString(report, OrdersPage.of(file, run.histograms()));
        }
        if (document != null)
        {
            refresh(file);
        }
        return 0;
    }

    private void refresh(final RunFile file) throws IOException
    {
        try
        {
            Files.writeString(document, MarkdownTables.refresh(Files.readString(document), OrdersTables.of(file)));
        }
        catch (final IllegalArgumentException e)
        {
            throw new OperatorException(document + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> configuration(final OrdersOptions options)
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put("rounds", Integer.toString(options.rounds()));
        facts.put("rate", options.rate() + " requests/s, " + options.burst() + " of each thousand at once");
        facts.put("sessions", Integer.toString(options.sessions()));
        facts.put("window", options.window() + " in flight for the sustained rate");
        facts.put("phase", options.millis() + " ms");
        facts.put("ring", (options.ring() >> 20) + " MiB");
        facts.put("waiting", options.waiting());
        facts.put("journal", (options.journal() >> 20) + " MiB a file");
        facts.put("processors", options.alone() < 0 ? "shared out by the kernel" :
            "the engine's thread alone on the last, all else, drivers too, on the others");
        return facts;
    }

    private static int lastProcessor()
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        if (processors < 2)
        {
            throw new UsageException("--engine-alone: needs two processors, and there is " + processors);
        }
        return processors - 1;
    }

    private static void table(final RunFile file, final PrintWriter out)
    {
        out.printf(Locale.ROOT, "%-30s %14s %14s %8s %4s%n", "latencies in ns, rates per s",
            "gannet", "aeron", "ratio", "n");
        for (final Row row : file.rows())
        {
            out.printf(Locale.ROOT, "%-30s %,14.1f %,14.1f %8s %4d%n", row.metric(), row.gannet(), row.peerValue(),
                row.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", row.ratio()), row.n());
        }
        file.bars().forEach(bar -> out.printf(Locale.ROOT, "%s %s of aeron's: %s%n", bar.metric(), bar.condition(),
            bar.verdict().label()));
        out.flush();
    }

    private static void require(final String option, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new UsageException(option + " " + value + ": must be from " + least + " to " + most);
        }
    }

    private static PrintWriter writer(final java.io.PrintStream stream)
    {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    }
}
