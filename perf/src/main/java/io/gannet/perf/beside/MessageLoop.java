package io.gannet.perf.beside;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Messages between a publisher and a subscriber of two hosts, both in this process with their drivers, in turns.
 */
final class MessageLoop implements Loop
{
    static final String NAME = "message";

    private final List<String> addresses;
    private final boolean invoked;
    private final int bytes;
    private final long nanos;

    private MessageLoop(final List<String> addresses, final boolean invoked, final int bytes, final long nanos)
    {
        this.addresses = addresses;
        this.invoked = invoked;
        this.bytes = bytes;
        this.nanos = nanos;
    }

    static Loop open(final List<String> arguments)
    {
        return new MessageLoop(arguments.subList(0, 2), arguments.get(2).equals("invoked"),
            Integer.parseInt(arguments.get(3)), TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments.get(4))));
    }

    /** Drivers live for one run: without work their time-outs would take processor time from other programs. */
    @Override
    public String run(final List<String> none) throws Exception
    {
        try (HostPair hosts = HostPair.open(addresses, invoked, List.of()))
        {
            final PingPong pingPong = new PingPong(hosts, bytes, 1);
            pingPong.run(nanos / 2);
            return Trips.of(pingPong.run(nanos)).print();
        }
    }

    @Override
    public void close()
    {
        // nothing outlives a run
    }
}
