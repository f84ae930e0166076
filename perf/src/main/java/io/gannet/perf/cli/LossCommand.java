package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.link.Namespaces;
import io.gannet.perf.rig.LossRun;
import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf loss}: packets that are lost, repeated and overtaken.
 */
@Command(name = "loss", sortOptions = false, mixinStandardHelpOptions = true, description =
    "Measures goodput and latency between two drivers in network namespaces of their own, over a link that loses, " +
    "repeats and reorders packets, and checks that every message arrives once, whole and in order. Needs root.")
public final class LossCommand implements Callable<Integer>
{
    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "1500", description = "Default: ${DEFAULT-VALUE}.")
    private int mtu;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "256",
        description = "Of a message, 16 to 4096. Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "10000",
        description = "Messages per second of the paced part. Default: ${DEFAULT-VALUE}.")
    private long rate;

    @Option(names = "--millis", paramLabel = "MS", defaultValue = "1000",
        description = "Of each part; a row takes four times that. Default: ${DEFAULT-VALUE}.")
    private long millis;

    @Option(names = "--capture", paramLabel = "FILE", description = "Writes all packets to a pcap file.")
    private Path capture;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        if (Namespaces.missing() != null)
        {
            throw new OperatorException(Namespaces.missing() + " to make network namespaces");
        }
        if (mtu < 352 || mtu > 9000 || size < 16 || size > 4096 || rate < 1 || millis < 10)
        {
            throw new UsageException("--mtu must be 352 to 9000, --size 16 to 4096, --rate 1 or more, --millis 10 " +
                "or more; they are " + mtu + ", " + size + ", " + rate + ", " + millis);
        }
        try
        {
            new LossRun(mtu, size, rate, millis, capture)
                .run(new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)));
        }
        catch (final RigException | IllegalStateException e)
        {
            throw new OperatorException(e.getMessage(), e);
        }
        return 0;
    }
}
