package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.verbs.VerbsBench;
import io.gannet.perf.verbs.VerbsOptions;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf verbs}: a device alone.
 */
@Command(name = "verbs", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Measures writes between two devices of this process, in perftest's tables (ib_write_lat, ib_write_bw)."})
public final class VerbsCommand implements Callable<Integer>
{
    private static final int LARGEST = 8 << 20;
    private static final String LATENCY = "lat";
    private static final String IMMEDIATE = "imm";
    private static final String BANDWIDTH = "bw";

    @Option(names = "--device", paramLabel = "NAME", defaultValue = "roce", description =
        "roce: the software NIC, on two loopback addresses; verbs: the first RDMA NIC, with itself; " +
        "verbs:ADDRESS,ADDRESS: the NIC or NICs with these addresses of this host. Default: ${DEFAULT-VALUE}.")
    private String device;

    @Option(names = "--test", split = ",", paramLabel = "NAME", description =
        "lat (plain writes, seen in memory), imm (writes with immediates, seen as completions), bw. " +
        "Default: lat and bw.")
    private List<String> tests = new ArrayList<>();

    @Option(names = "--size", split = ",", paramLabel = "BYTES", description = "Default: 2, 4 ... 65536.")
    private List<Integer> sizes = new ArrayList<>();

    @Option(names = {"--qps", "--qp"}, split = ",", paramLabel = "N", defaultValue = "1",
        description = "Queue pairs, for bw; several give several tables. Default: ${DEFAULT-VALUE}.")
    private List<Integer> queuePairs;

    @Option(names = "--depth", paramLabel = "N", defaultValue = "128", description = "Default: ${DEFAULT-VALUE}.")
    private int depth;

    @Option(names = "--signal", paramLabel = "N", defaultValue = "32",
        description = "Writes by completion. Default: ${DEFAULT-VALUE}.")
    private int signalEvery;

    @Option(names = "--inline", paramLabel = "BYTES", defaultValue = "220",
        description = "Writes up to this size go inline; 0: none. Default: ${DEFAULT-VALUE}.")
    private int inline;

    @Option(names = "--millis", paramLabel = "MS", defaultValue = "1000",
        description = "Time for each line. Default: ${DEFAULT-VALUE}.")
    private int millis;

    @Option(names = "--one-thread",
        description = "bw: both ends' work in one thread, so that processor time is work alone.")
    private boolean oneThread;

    @Override
    public Integer call() throws InterruptedException
    {
        final Supplier<RdmaDevice> devices = DeviceArgument.devices("--device", device);
        final List<Integer> chosen = sizes.isEmpty() ? powersOfTwo() : sizes;
        for (final int size : chosen)
        {
            require("--size", size, 1, LARGEST);
        }
        for (final String test : tests)
        {
            if (!List.of(LATENCY, IMMEDIATE, BANDWIDTH).contains(test))
            {
                throw new UsageException("--test " + test + ": must be lat, imm or bw");
            }
        }
        queuePairs.forEach(count -> require("--qps", count, 1, 4096));
        require("--depth", depth, 2, 32_768);
        require("--signal", signalEvery, 1, depth);
        require("--inline", inline, 0, 4096);
        require("--millis", millis, 10, 600_000);
        try
        {
            new VerbsBench(new VerbsOptions(chosen, queuePairs, depth, signalEvery, inline, millis, oneThread,
                tests.isEmpty() || tests.contains(LATENCY), tests.contains(IMMEDIATE),
                tests.isEmpty() || tests.contains(BANDWIDTH)),
                devices,
                new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8))).run();
        }
        catch (final RdmaException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
        return 0;
    }

    private static List<Integer> powersOfTwo()
    {
        final List<Integer> powers = new ArrayList<>();
        for (int size = 2; size <= 65_536; size *= 2)
        {
            powers.add(size);
        }
        return powers;
    }

    private static void require(final String option, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new UsageException(option + " " + value + ": must be from " + least + " to " + most);
        }
    }
}
