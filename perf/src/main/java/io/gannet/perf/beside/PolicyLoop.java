package io.gannet.perf.beside;

import io.gannet.counters.RemoteStatistic;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Messages in rows between two hosts, with what the drivers and, on the fake device, the device counted meanwhile.
 */
final class PolicyLoop implements Loop
{
    static final String NAME = "policy";

    private static final RemoteStatistic[] COUNTED = {
        RemoteStatistic.REQUESTS, RemoteStatistic.POSTS, RemoteStatistic.SIGNALED, RemoteStatistic.INLINE,
        RemoteStatistic.FETCHED};

    private final List<String> addresses;
    private final List<String> options;
    private final long nanos;

    private PolicyLoop(final List<String> addresses, final List<String> options, final long nanos)
    {
        this.addresses = addresses;
        this.options = options;
        this.nanos = nanos;
    }

    static Loop open(final List<String> arguments)
    {
        return new PolicyLoop(arguments.subList(0, 2), arguments.subList(3, arguments.size()),
            TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments.get(2))));
    }

    /**
     * {@return messages, what the drivers counted, what the device did, least and median in nanoseconds}
     *
     * @param cell bytes of a message, messages in a row.
     */
    @Override
    public String run(final List<String> cell) throws Exception
    {
        try (HostPair hosts = HostPair.open(addresses, true, options))
        {
            final PingPong messages =
                new PingPong(hosts, Integer.parseInt(cell.get(0)), Integer.parseInt(cell.get(1)));
            messages.run(nanos / 2);
            final long sentBefore = messages.messages();
            final long[] countedBefore = hosts.counted(COUNTED);
            final long[] deviceBefore = FakeTotals.read();
            final Trips trips = Trips.of(messages.run(nanos));
            final long[] device = FakeTotals.read();
            final long[] counted = hosts.counted(COUNTED);
            final long[] results = LongStream.concat(LongStream.concat(
                LongStream.of(messages.messages() - sentBefore), difference(counted, countedBefore)),
                difference(device, deviceBefore)).toArray();
            return Arrays.stream(results).mapToObj(Long::toString).collect(Collectors.joining(" ")) + " " +
                trips.print();
        }
    }

    private static LongStream difference(final long[] after, final long[] before)
    {
        final long[] result = new long[after.length];
        Arrays.setAll(result, i -> after[i] - before[i]);
        return LongStream.of(result);
    }

    @Override
    public void close()
    {
        // nothing outlives a run
    }
}
