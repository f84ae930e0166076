package io.gannet.perf.beside;

import io.gannet.perf.verbs.VerbsPair;
import io.gannet.perf.verbs.WriteLatency;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two threads write to each other in turns: what {@code write_loop.c} does.
 */
final class WriteLoop implements Loop
{
    static final String NAME = "write";

    private static final int DEPTH = 128;

    private final VerbsPair pair;
    private final WriteLatency latency;
    private final long nanos;

    private WriteLoop(final VerbsPair pair, final WriteLatency latency, final long nanos)
    {
        this.pair = pair;
        this.latency = latency;
        this.nanos = nanos;
    }

    static Loop open(final List<String> arguments) throws InterruptedException
    {
        final int bytes = Integer.parseInt(arguments.get(3));
        final VerbsPair pair = new VerbsPair(open(arguments.get(0)), open(arguments.get(1)), 1, DEPTH,
            Integer.parseInt(arguments.get(4)), 2 * bytes);
        final WriteLoop loop = new WriteLoop(
            pair,
            new WriteLatency(pair, bytes, arguments.get(2).equals("imm"), Integer.parseInt(arguments.get(4)) > 0),
            TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments.get(5))));
        loop.latency.warmUp();
        return loop;
    }

    private static VerbsDevice open(final String address)
    {
        return VerbsDevice.open(VerbsOptions.ANY.withAddress(InetAddress.ofLiteral(address)));
    }

    @Override
    public String run(final List<String> none) throws InterruptedException
    {
        latency.run(nanos / 4);
        return Trips.of(latency.run(nanos)).print();
    }

    @Override
    public void close()
    {
        pair.close();
    }
}
