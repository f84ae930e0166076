package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.chart.MarkdownTables;
import io.gannet.perf.report.HtmlReport;
import io.gannet.perf.report.IpcTables;
import io.gannet.perf.rig.IpcOptions;
import io.gannet.perf.rig.IpcRun;
import io.gannet.perf.rig.RigException;
import io.gannet.perf.rig.RunFile;
import io.gannet.perf.rig.RunRecord;
import io.gannet.perf.rig.Table;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf ipc}: shared memory, against Aeron IPC, the Disruptor and Agrona's rings.
 */
@Command(name = "ipc", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Measures messages between processes of one host, Gannet and its peers in turn over the same processors.",
    "All options unset: the full matrix, about ten minutes."})
public final class IpcCommand implements Callable<Integer>
{
    private static final int QUICK_SECONDS = 42;
    private static final int FULL_SECONDS = 570;
    private static final int QUICK_ROUNDS = 12;
    private static final int FULL_ROUNDS = 8;
    private static final int QUICK_PHASE_MS = 100;
    private static final int FULL_PHASE_MS = 60;
    private static final int SMALLEST = 24;
    private static final int LARGEST = 64 * 1024;
    private static final int SMALLEST_RING = 1 << 20;
    private static final int LARGEST_RING = 512 << 20;

    @Option(names = "--quick", description = "Aeron, two processes, 96 B and 1 KiB, even start; below 50 s.")
    private boolean quick;

    @Option(names = "--size", split = ",", paramLabel = "BYTES",
        description = "Payload sizes, multiples of 8 from 24 to 65536. Default: 32,96,256,1024; quick: 96,1024.")
    private List<Integer> sizes = new ArrayList<>();

    @Option(names = "--peer", split = ",", paramLabel = "NAME",
        description = {"gannet, aeron, disruptor, agrona, and ring: our ring without client and driver.",
            "Default: all but ring; quick: gannet,aeron."})
    private List<String> peers = new ArrayList<>();

    @Option(names = "--bench", split = ",", paramLabel = "TEXT",
        description = "Only benchmarks whose name contains one of these, as throughput, pingpong, 2proc, 1p2s.")
    private List<String> benches = new ArrayList<>();

    @Option(names = "--shape", split = ",", paramLabel = "PxS", description =
        "Further throughput benchmarks of the matrix, as 3x2: three producers, two subscribers. At most 8x60.")
    private List<String> shapes = new ArrayList<>();

    @Option(names = "--bars", description =
        "Checks the acceptance bars against Aeron, one line each with pass or fail; exit code 1 if one fails.")
    private boolean bars;

    @Option(names = "--rounds", paramLabel = "N", description =
        "Rounds of three phases for each cell while time allows. Default: " + FULL_ROUNDS + "; quick: " +
        QUICK_ROUNDS + ".")
    private Integer rounds;

    @Option(names = "--phase", paramLabel = "MS", description =
        "Length of a phase in milliseconds. Default: " + FULL_PHASE_MS + "; quick: " + QUICK_PHASE_MS + ".")
    private Integer phase;

    @Option(names = "--seconds", paramLabel = "S", description =
        "No round begins later. Default: " + FULL_SECONDS + "; quick: " + QUICK_SECONDS + ".")
    private Integer seconds;

    @Option(names = "--ring", paramLabel = "MIB", defaultValue = "16",
        description = "Ring, or term, in MiB, a power of two. Default: ${DEFAULT-VALUE}.")
    private int ringMiB;

    @Option(names = "--rate", paramLabel = "PER_SECOND", defaultValue = "1000000",
        description = "Rate of the paced load. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--near", paramLabel = "NS", defaultValue = "160",
        description = "Line round trips below this are near. Default: ${DEFAULT-VALUE}.")
    private int nearNanos;

    @Option(names = "--real-time", description =
        "Measure under first-in-first-out scheduling with 25 %% duty: for a machine busy with other work. Needs root.")
    private boolean realTime;

    @Option(names = "--bounds-checks", description = "Leave Agrona's bounds checks on, for all peers.")
    private boolean boundsChecks;

    @Option(names = "--worker-flag", paramLabel = "FLAG",
        description = "A further JVM flag of the workers; repeatable.")
    private List<String> workerFlags = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE", arity = "0..1", fallbackValue = "-",
        description = "Writes rows, machine and configuration; to standard output without FILE.")
    private String json;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes one self-contained HTML page.")
    private Path report;

    @Option(names = "--document", paramLabel = "FILE",
        description = "Refreshes the tables beside Aeron in a Markdown file.")
    private Path document;

    @Option(names = "--compare", split = ",", paramLabel = "FILE",
        description = "Earlier --json files that the report compares this run with.")
    private List<Path> compare = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final IpcOptions options = options();
        if (document != null && !Files.isWritable(document))
        {
            throw new UsageException("--document " + document + ": no file that can be written; it must have the " +
                "tables " + IpcTables.NAMES);
        }
        final List<RunFile> earlier = new ArrayList<>();
        final RunRecord run;
        try
        {
            for (final Path file : compare)
            {
                earlier.add(RunFile.read(file));
            }
            run = new IpcRun(options, writer(System.err)).run();
        }
        catch (final RigException e)
        {
            throw new OperatorException(e.getMessage(), e);
        }
        final boolean jsonToOutput = "-".equals(json);
        Table.print(run, writer(jsonToOutput ? System.err : System.out));
        if (jsonToOutput)
        {
            System.out.print(RunFile.of(run).toJson());
            System.out.flush();
        }
        else if (json != null)
        {
            Files.writeString(Path.of(json), RunFile.of(run).toJson());
        }
        if (report != null)
        {
            Files.writeString(report, HtmlReport.of(run, earlier));
        }
        if (document != null)
        {
            refresh(RunFile.of(run));
        }
        return !bars || Table.printBars(run, writer(jsonToOutput ? System.err : System.out)) ? 0 : 1;
    }

    private void refresh(final RunFile file) throws IOException
    {
        try
        {
            Files.writeString(document, MarkdownTables.refresh(Files.readString(document), IpcTables.of(file)));
        }
        catch (final IllegalArgumentException e)
        {
            throw new OperatorException(document + ": " + e.getMessage(), e);
        }
    }

    private IpcOptions options()
    {
        final List<Integer> chosen = sizes.isEmpty() ? quick ? List.of(96, 1024) : List.of(32, 96, 256, 1024) : sizes;
        for (final int size : chosen)
        {
            if (size < SMALLEST || size > LARGEST || size % Long.BYTES != 0)
            {
                throw new UsageException("--size " + size + ": must be a multiple of 8 from " + SMALLEST + " to " +
                    LARGEST);
            }
        }
        final List<String> known = List.of("gannet", "aeron", "disruptor", "agrona", "ring");
        for (final String peer : peers)
        {
            if (!known.contains(peer))
            {
                throw new UsageException("--peer " + peer + ": must be one of " + known);
            }
        }
        final int phaseMillis = phase == null ? quick ? QUICK_PHASE_MS : FULL_PHASE_MS : phase;
        require("--phase", phaseMillis, 1, 10_000);
        require("--rate", rate, 1_000, 100_000_000);
        require("--ring", ringMiB, SMALLEST_RING >> 20, LARGEST_RING >> 20);
        if (Integer.bitCount(ringMiB) != 1)
        {
            throw new UsageException("--ring " + ringMiB + ": must be a power of two");
        }
        final int budget = seconds == null ? quick ? QUICK_SECONDS : FULL_SECONDS : seconds;
        require("--seconds", budget, 1, 36_000);
        final int wanted = rounds == null ? quick ? QUICK_ROUNDS : FULL_ROUNDS : rounds;
        require("--rounds", wanted, 1, 10_000);
        return new IpcOptions(quick, peers.isEmpty() ? quick ? List.of("gannet", "aeron") :
            known.subList(0, 4) : peers, chosen,
            sizes.isEmpty() ? List.of(4096, 16_384, 65_536) : List.of(),
            shapes.stream().map(IpcCommand::shape).toList(), benches, phaseMillis, wanted, budget,
            ringMiB << 20, rate, nearNanos, realTime, boundsChecks, workerFlags);
    }

    private static IpcOptions.Shape shape(final String text)
    {
        if (!text.matches("[1-8]x([1-9]|[1-5][0-9]|60)"))
        {
            throw new UsageException("--shape " + text + ": must be producers x subscribers, as 3x2; at most 8x60");
        }
        final int cross = text.indexOf('x');
        return new IpcOptions.Shape(
            Integer.parseInt(text.substring(0, cross)), Integer.parseInt(text.substring(cross + 1)));
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
