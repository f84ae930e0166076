package io.gannet.perf.beside;

import io.gannet.counters.RemoteStatistic;
import io.gannet.perf.verbs.Idle;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two hosts of this process that publish to each other.
 */
final class HostPair implements AutoCloseable
{
    private static final int PORT = 4100;
    /** Emulated processors on a busy machine take long. */
    private static final int CONNECT_SECONDS = 300;
    /** Longer than drivers take to show what they count. */
    private static final long COUNTERS_MS = 500;

    private final Host a;
    private final Host b;

    private HostPair(final Host a, final Host b)
    {
        this.a = a;
        this.b = b;
    }

    /**
     * @param addresses two, of RDMA devices of this machine.
     * @param invoked   whether the application's threads do the drivers' work.
     * @param options   of both drivers, as {@code key=value}.
     */
    static HostPair open(final List<String> addresses, final boolean invoked, final List<String> options)
        throws IOException
    {
        final Host first = new Host(addresses.get(0), PORT, invoked, options);
        final Host second;
        try
        {
            second = new Host(addresses.get(1), PORT + 1, invoked, options);
        }
        catch (final RuntimeException | IOException e)
        {
            first.close();
            throw e;
        }
        final HostPair pair = new HostPair(first, second);
        try
        {
            pair.connect();
            return pair;
        }
        catch (final RuntimeException e)
        {
            pair.close();
            throw e;
        }
    }

    private void connect()
    {
        a.subscribe();
        b.subscribe();
        a.publish(b);
        b.publish(a);
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_SECONDS);
        boolean connected = false;
        while (!connected)
        {
            // Both have their turn each time.
            final boolean first = a.isConnected();
            connected = b.isConnected() && first;
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException("the two hosts are not connected within " + CONNECT_SECONDS + " s");
            }
            Idle.pause();
        }
        a.stopStepping();
        b.stopStepping();
    }

    /** {@return sums of what both drivers count of streams, once that is up to date} */
    long[] counted(final RemoteStatistic... statistics) throws InterruptedException
    {
        a.startStepping();
        b.startStepping();
        TimeUnit.MILLISECONDS.sleep(COUNTERS_MS);
        final long[] sums = new long[statistics.length];
        for (int i = 0; i < sums.length; i++)
        {
            sums[i] = a.counted(statistics[i]) + b.counted(statistics[i]);
        }
        a.stopStepping();
        b.stopStepping();
        return sums;
    }

    Host a()
    {
        return a;
    }

    Host b()
    {
        return b;
    }

    @Override
    public void close()
    {
        // Both go on while either ends its streams.
        a.startStepping();
        b.startStepping();
        a.close();
        b.close();
    }
}
