package io.gannet.rdma.roce;

import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WorkCompletions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two software NICs with a connection between them, in a process without privileges: says so, and how many writes came.
 */
public final class Unprivileged
{
    private static final int WRITES = 200;

    private Unprivileged()
    {
    }

    /** No arguments. */
    public static void main(final String[] arguments) throws IOException
    {
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("CapEff") || line.startsWith("Uid")).map(line -> line.replace('\t', ' '))
            .forEach(System.out::println);
        final WorkCompletions completions = new WorkCompletions(16);
        int came = 0;
        try (RocePair pair = new RocePair(RoceOptions.LOOPBACK, new ConnectParameters(7, 7, 18, 0)))
        {
            for (int i = 1; i <= WRITES; i++)
            {
                pair.a.queuePair.addWriteWithImm(i, SendFlags.SIGNALED, pair.a.region.address(), 5_000,
                    pair.a.region.lkey(), pair.b.region.address(), pair.b.region.rkey(), i);
                pair.a.queuePair.ringDoorbell();
            }
            while (came < WRITES)
            {
                pair.a.device.doWork();
                pair.b.device.doWork();
                pair.a.sends.poll(completions);
                came += pair.b.receives.poll(completions);
            }
        }
        System.out.println("came " + came);
    }
}
