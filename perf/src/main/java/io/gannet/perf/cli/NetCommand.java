package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.rig.NetOptions;
import io.gannet.perf.rig.NetResults;
import io.gannet.perf.rig.NetRun;
import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
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
 * {@code gannet perf net}: packets over loopback, against Aeron UDP.
 */
@Command(name = "net", sortOptions = false, mixinStandardHelpOptions = true, description =
    "Measures messages over packets on loopback, Gannet's software NIC and Aeron UDP in turn: publisher, two " +
    "drivers and subscriber as four processes, and with the drivers embedded in the two clients. Throughput, " +
    "round trip, and processor time of all processes of a side by messages delivered. All options unset: about " +
    "five minutes.")
public final class NetCommand implements Callable<Integer>
{
    private static final List<String> KNOWN = List.of("gannet", "aeron-1408", "aeron-8192");
    private static final int QUICK_SECONDS = 40;
    private static final int FULL_SECONDS = 300;
    private static final int QUICK_ROUNDS = 5;
    private static final int FULL_ROUNDS = 11;
    private static final int QUICK_PHASE = 200;
    private static final int FULL_PHASE = 400;
    private static final int SMALLEST = 24;
    private static final int LARGEST = 64 * 1024;

    @Option(names = "--quick", description = "96 B and 1 KiB, four processes; below 60 s.")
    private boolean quick;

    @Option(names = "--size", split = ",", paramLabel = "BYTES",
        description = "Payload sizes, multiples of 8 from 24 to 65536. Default: 32,96,256,1024,4096,16384.")
    private List<Integer> sizes = new ArrayList<>();

    @Option(names = "--peer", split = ",", paramLabel = "NAME",
        description = "gannet, aeron-1408, aeron-8192 (Aeron with that MTU). Default: all.")
    private List<String> peers = new ArrayList<>();

    @Option(names = "--bench", split = ",", paramLabel = "TEXT",
        description = "Only benchmarks whose name contains one of these, as throughput or pingpong.")
    private List<String> benches = new ArrayList<>();

    @Option(names = "--no-embedded", description = "Four processes only.")
    private boolean noEmbedded;

    @Option(names = "--rounds", paramLabel = "N", description =
        "Phases of each cell. Default: " + FULL_ROUNDS + "; quick: " + QUICK_ROUNDS + ".")
    private Integer rounds;

    @Option(names = "--phase", paramLabel = "MS", description =
        "Length of a phase in milliseconds. Default: " + FULL_PHASE + "; quick: " + QUICK_PHASE + ".")
    private Integer phaseMillis;

    @Option(names = "--seconds", paramLabel = "S", description =
        "More rounds than asked for are begun until then. Default: " + FULL_SECONDS + "; quick: " + QUICK_SECONDS + ".")
    private Integer seconds;

    @Option(names = "--ring", paramLabel = "MIB",
        description = "Ring, or term, in MiB, a power of two. Default: Gannet's default between hosts, 4.")
    private Integer ringMiB;

    @Option(names = "--free", description =
        "The kernel places all processes. Default: each side has one half of the processors, as a host of its own.")
    private boolean free;

    @Option(names = "--idle", paramLabel = "MODE", defaultValue = "auto",
        description = "What Gannet's drivers do without work: auto, spin, yield or sleep. Default: ${DEFAULT-VALUE}.")
    private String idle;

    @Option(names = "--worker-flag", paramLabel = "FLAG", description = "A further JVM flag of workers; repeatable.")
    private List<String> workerFlags = new ArrayList<>();

    @Option(names = "--driver-flag", paramLabel = "FLAG", description = "A further JVM flag of drivers; repeatable.")
    private List<String> driverFlags = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE", description = "Writes machine and rows.")
    private Path json;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final NetResults results;
        try
        {
            results = new NetRun(options(), writer(System.err)).run();
        }
        catch (final RigException e)
        {
            throw new OperatorException(e.getMessage(), e);
        }
        results.print(writer(System.out));
        if (json != null)
        {
            Files.writeString(json, results.json());
        }
        return 0;
    }

    private NetOptions options()
    {
        final List<Integer> chosen = !sizes.isEmpty() ? sizes :
            quick ? List.of(96, 1024) : List.of(32, 96, 256, 1024, 4096, 16_384);
        for (final int size : chosen)
        {
            if (size < SMALLEST || size > LARGEST || size % Long.BYTES != 0)
            {
                throw new UsageException("--size " + size + ": must be a multiple of 8 from " + SMALLEST + " to " +
                    LARGEST);
            }
        }
        for (final String peer : peers)
        {
            if (!KNOWN.contains(peer))
            {
                throw new UsageException("--peer " + peer + ": must be one of " + KNOWN);
            }
        }
        if (ringMiB != null && (Integer.bitCount(ringMiB) != 1 || ringMiB > 512))
        {
            throw new UsageException("--ring " + ringMiB + ": must be a power of two, 1 to 512");
        }
        return new NetOptions(peers.isEmpty() ? KNOWN : peers, chosen, benches, !quick && !noEmbedded,
            value("--phase", phaseMillis, QUICK_PHASE, FULL_PHASE, 10_000),
            value("--rounds", rounds, QUICK_ROUNDS, FULL_ROUNDS, 10_000),
            value("--seconds", seconds, QUICK_SECONDS, FULL_SECONDS, 36_000),
            ringMiB == null ? 0 : ringMiB << 20, idle, !free && Runtime.getRuntime().availableProcessors() > 1,
            workerFlags, driverFlags);
    }

    private int value(final String option, final Integer given, final int ifQuick, final int otherwise, final int most)
    {
        final int value = given != null ? given : quick ? ifQuick : otherwise;
        if (value < 1 || value > most)
        {
            throw new UsageException(option + " " + value + ": must be from 1 to " + most);
        }
        return value;
    }

    private static PrintWriter writer(final PrintStream stream)
    {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    }
}
