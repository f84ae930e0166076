package io.gannet.perf.beside;

import io.gannet.FragmentHandler;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages in a row, the last of which is answered by another: one at a time, or more. Between two of a row the driver
 * has a turn, as if it had a thread that keeps up.
 */
final class PingPong
{
    private static final int DIGITS = 3;
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Polls in vain between two readings of the clock, which may take longer than a poll; a power of two. */
    private static final int POLLS = 1024;

    private final HostPair hosts;
    private final int bytes;
    private final int row;
    private volatile boolean running;
    private long number;

    PingPong(final HostPair hosts, final int bytes, final int row)
    {
        this.hosts = hosts;
        this.bytes = bytes;
        this.row = row;
    }

    /** {@return messages sent so far, answers too} */
    long messages()
    {
        return number + number / row;
    }

    /** Half round trips in nanoseconds, from the first message of a row to the answer. */
    Histogram run(final long nanos) throws InterruptedException
    {
        final Histogram halves = new Histogram(TimeUnit.SECONDS.toNanos(60), DIGITS);
        running = true;
        final Thread answering = new Thread(this::answer, "answering");
        answering.start();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[bytes]);
        final long[] got = new long[1];
        final FragmentHandler handler = (buffer, offset, length, header) -> got[0] = buffer.getLong(offset);
        long start = System.nanoTime();
        final long end = start + nanos;
        while (start - end < 0)
        {
            for (int i = 0; i < row; i++)
            {
                message.putLong(0, ++number);
                send(hosts.a(), message);
                if (row > 1)
                {
                    hosts.a().turn();
                }
            }
            for (int polls = 1; hosts.a().poll(handler, 1) == 0; polls++)
            {
                hosts.a().step();
                if ((polls & POLLS - 1) == 0 && System.nanoTime() - start > LOST_NANOS)
                {
                    throw new IllegalStateException("no answer to message " + number + " within 30 s");
                }
            }
            if (got[0] != number)
            {
                throw new IllegalStateException("message " + got[0] + " came back instead of " + number);
            }
            final long after = System.nanoTime();
            halves.recordValue((after - start) / 2);
            start = after;
        }
        running = false;
        answering.join();
        return halves;
    }

    private void answer()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[bytes]);
        final FragmentHandler handler = (buffer, offset, length, header) ->
        {
            if (buffer.getLong(offset) % row == 0)
            {
                message.putBytes(0, buffer, offset, length);
                send(hosts.b(), message);
            }
        };
        while (running)
        {
            if (hosts.b().poll(handler, 16) == 0)
            {
                hosts.b().step();
            }
        }
    }

    private static void send(final Host host, final UnsafeBuffer message)
    {
        while (host.publication().offer(message, 0, message.capacity()) < 0)
        {
            host.step();
        }
    }
}
