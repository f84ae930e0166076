package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.beside.BindingRun;
import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf binding}: what a call through the binding costs.
 */
@Command(name = "binding", sortOptions = false, mixinStandardHelpOptions = true, description =
    "Measures fill and post of one inline write with immediate by Gannet's binding beside the same in C, on a " +
    "fake device whose functions do next to nothing. Needs a C compiler and rdma-core headers; no RDMA device. " +
    "Beside each ratio stands its limit: 1.2 times C with calls that leave the thread's state alone, twice with " +
    "plain ones.")
public final class BindingCommand implements Callable<Integer>
{
    private static final int LARGEST = 220;

    @Option(names = "--size", split = ",", paramLabel = "BYTES", defaultValue = "44,220",
        description = "1 to 220. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizes;

    @Option(names = "--jvms", paramLabel = "N", defaultValue = "7",
        description = "Pairs of JVMs; their median is judged. Default: ${DEFAULT-VALUE}.")
    private int jvms;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "40",
        description = "Runs of each side per pair, of 5 ms. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--bars", description = "Exit code 1 if a limit is missed.")
    private boolean bars;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        for (final int size : sizes)
        {
            if (size < 1 || size > LARGEST)
            {
                throw new UsageException("--size " + size + ": must be from 1 to " + LARGEST);
            }
        }
        if (rounds < 1 || rounds > 1000)
        {
            throw new UsageException("--rounds " + rounds + ": must be from 1 to 1000");
        }
        if (jvms < 1 || jvms > 100)
        {
            throw new UsageException("--jvms " + jvms + ": must be from 1 to 100");
        }
        try
        {
            final PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
            return new BindingRun(sizes, jvms, rounds, out).run() || !bars ? 0 : 1;
        }
        catch (final RigException e)
        {
            throw new OperatorException(e.getMessage(), e);
        }
    }
}
