package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.beside.PerftestOptions;
import io.gannet.perf.beside.PerftestRun;
import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf perftest}: the latency of a NIC's writes, and of messages over it, beside perftest.
 */
@Command(name = "perftest", sortOptions = false, mixinStandardHelpOptions = true, description =
    "Measures one message at a time between two addresses of this machine's RDMA devices: ib_write_lat, the loop " +
    "of perf verbs in C, perf verbs, and publisher to subscriber with embedded drivers, in turns. Needs a C " +
    "compiler and rdma-core's headers. Beside each ratio stands its limit: 1.10 times C, 1.3 times ib_write_lat.")
public final class PerftestCommand implements Callable<Integer>
{
    private static final String FAKE = "fake";
    private static final int LARGEST = 65_536;

    @Option(names = "--device", paramLabel = "NAME", required = true, description =
        "ADDRESS,ADDRESS of RDMA devices, or one for both ends; fake: a device without hardware, without ib_write_lat.")
    private String device;

    @Option(names = "--size", split = ",", paramLabel = "BYTES", defaultValue = "64",
        description = "8 to 65536. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizes;

    @Option(names = "--inline", paramLabel = "BYTES", defaultValue = "220",
        description = "Writes up to this size go inline; 0: none. Default: ${DEFAULT-VALUE}.")
    private int inline;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "7",
        description = "Runs of each side. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--millis", paramLabel = "MS", defaultValue = "1000",
        description = "Of each run. Default: ${DEFAULT-VALUE}.")
    private int millis;

    @Option(names = "--iterations", paramLabel = "N", defaultValue = "20000",
        description = "Of ib_write_lat in each run. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(names = "--no-messages", description = "Without publisher and subscriber.")
    private boolean bare;

    @Option(names = "--bars", description = "Exit code 1 if a limit is missed.")
    private boolean bars;

    @Option(names = "--jvm-flag", paramLabel = "FLAG",
        description = "A further JVM flag of measured processes; repeatable.")
    private List<String> flags = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        for (final int size : sizes)
        {
            require("--size", size, Long.BYTES, LARGEST);
        }
        require("--inline", inline, 0, 512);
        require("--rounds", rounds, 1, 1000);
        require("--millis", millis, 10, 60_000);
        require("--iterations", iterations, 100, 10_000_000);
        final boolean fake = device.equals(FAKE);
        final List<String> addresses = fake ? List.of("127.0.0.1", "127.0.0.2") :
            DeviceArgument.addresses("--device", device).stream().map(InetAddress::getHostAddress).toList();
        try
        {
            final boolean met = new PerftestRun(
                new PerftestOptions(addresses, fake, sizes, inline, rounds, millis, iterations, !bare, flags),
                new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8))).run();
            return met || !bars ? 0 : 1;
        }
        catch (final RigException e)
        {
            throw new OperatorException(e.getMessage(), e);
        }
    }

    private static void require(final String option, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new UsageException(option + " " + value + ": must be from " + least + " to " + most);
        }
    }
}
