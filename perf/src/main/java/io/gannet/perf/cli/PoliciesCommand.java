package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.beside.PoliciesRun;
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
 * {@code gannet perf policies}: what inline small writes and completions by load save.
 */
@Command(name = "policies", sortOptions = false, mixinStandardHelpOptions = true, description =
    "Counts work requests, posts, completions and bytes that the NIC reads, per message between two embedded " +
    "drivers, by size and by messages in a row, with small writes inline and completions by load, with either, " +
    "with neither.")
public final class PoliciesCommand implements Callable<Integer>
{
    private static final String FAKE = "fake";

    @Option(names = "--device", paramLabel = "NAME", defaultValue = FAKE, description =
        "ADDRESS,ADDRESS of RDMA devices, or one for both ends; fake: a device without hardware, which needs a C " +
        "compiler and rdma-core's headers. Default: ${DEFAULT-VALUE}.")
    private String device;

    @Option(names = "--size", split = ",", paramLabel = "BYTES", defaultValue = "32,128,512,2048",
        description = "8 to 65536. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizes;

    @Option(names = "--row", split = ",", paramLabel = "N", defaultValue = "1,32,256",
        description = "Messages in a row, 1 to 4096: the load. Default: ${DEFAULT-VALUE}.")
    private List<Integer> rows;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
        description = "Runs of each. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--millis", paramLabel = "MS", defaultValue = "500",
        description = "Of each run. Default: ${DEFAULT-VALUE}.")
    private int millis;

    @Option(names = "--jvm-flag", paramLabel = "FLAG",
        description = "A further JVM flag of measured processes; repeatable.")
    private List<String> flags = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        sizes.forEach(size -> require("--size", size, Long.BYTES, 65_536));
        rows.forEach(row -> require("--row", row, 1, 4096));
        require("--rounds", rounds, 1, 1000);
        require("--millis", millis, 10, 60_000);
        final boolean fake = device.equals(FAKE);
        final List<String> addresses = fake ? List.of("127.0.0.1", "127.0.0.2") :
            DeviceArgument.addresses("--device", device).stream().map(InetAddress::getHostAddress).toList();
        try
        {
            new PoliciesRun(addresses, fake, sizes, rows, rounds, millis, flags,
                new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8))).run();
            return 0;
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
