package io.gannet.perf.rig;

import io.gannet.ExclusivePublication;
import io.gannet.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Numbered messages from a publication to a subscription, each checked: once, whole, in order. The publisher is a
 * thread of its own, the subscriber is the caller's.
 * <pre>
 *  0: number   8: intended time of sending   16 ..: bytes that follow from the number
 * </pre>
 */
public final class NumberedFlow implements AutoCloseable
{
    private static final int HEADER = 16;
    private static final int LIMIT = 256;
    private static final long SPARE_NANOS = 50_000;
    private static final int DIGITS = 3;

    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final int length;
    private final UnsafeBuffer message;
    private final Thread thread = new Thread(this::publish, "numbered-flow");
    private volatile long intervalNanos;
    private volatile boolean running = true;
    private volatile long sent;
    private volatile RuntimeException failure;
    private long received;
    private long bytes;
    private Histogram latency = newHistogram();

    /**
     * Begins to publish as soon as there is a subscriber.
     *
     * @param length        bytes of a message, at least 16.
     * @param intervalNanos between messages; 0: as fast as accepted.
     */
    public NumberedFlow(
        final ExclusivePublication publication,
        final Subscription subscription,
        final int length,
        final long intervalNanos)
    {
        this.publication = publication;
        this.subscription = subscription;
        this.length = length;
        this.intervalNanos = intervalNanos;
        message = new UnsafeBuffer(new byte[length]);
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on. */
    public void interval(final long nanos)
    {
        intervalNanos = nanos;
    }

    /** Messages sent so far. */
    public long sent()
    {
        return sent;
    }

    /** Messages received so far. */
    public long received()
    {
        return received;
    }

    /** Payload bytes received so far. */
    public long bytes()
    {
        return bytes;
    }

    /** Latencies in nanoseconds, from the intended time of sending, since the last call. */
    public Histogram latency()
    {
        final Histogram taken = latency;
        latency = newHistogram();
        return taken;
    }

    /** Polls for so long; throws if a message is not the next one, or the publisher failed. */
    public void run(final long nanos)
    {
        final long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0)
        {
            poll();
        }
    }

    private void poll()
    {
        if (failure != null)
        {
            throw failure;
        }
        if (subscription.poll((buffer, offset, size, header) -> check(buffer, offset, size), LIMIT) == 0)
        {
            LockSupport.parkNanos(SPARE_NANOS);
        }
    }

    /** Stops the publisher and receives the rest; throws if that does not arrive in time. */
    public void finish(final long patienceNanos) throws InterruptedException
    {
        running = false;
        final long deadline = System.nanoTime() + patienceNanos;
        while (thread.isAlive() || received < sent)
        {
            poll();
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException("sent " + sent + ", received " + received);
            }
        }
        thread.join();
        run(TimeUnit.MILLISECONDS.toNanos(100));
        if (received != sent)
        {
            throw new IllegalStateException("sent " + sent + ", received " + received);
        }
    }

    private void publish()
    {
        long next = System.nanoTime();
        try
        {
            while (running)
            {
                final long interval = intervalNanos;
                final long now = System.nanoTime();
                if (interval != 0 && now - next < 0)
                {
                    LockSupport.parkNanos(Math.min(next - now, SPARE_NANOS));
                    continue;
                }
                next = interval == 0 ? now : next;
                final long number = sent;
                fill(message, number, next, length);
                if (publication.offer(message, 0, length) > 0)
                {
                    sent = number + 1;
                    next += interval;
                }
                else
                {
                    LockSupport.parkNanos(SPARE_NANOS);
                }
            }
        }
        catch (final RuntimeException e)
        {
            failure = e;
        }
    }

    private static void fill(final UnsafeBuffer buffer, final long number, final long time, final int length)
    {
        buffer.putLong(0, number);
        buffer.putLong(Long.BYTES, time);
        for (int at = HEADER; at + Long.BYTES <= length; at += Long.BYTES)
        {
            buffer.putLong(at, number * 31 + at);
        }
    }

    private void check(final DirectBuffer buffer, final int offset, final int size)
    {
        final long number = buffer.getLong(offset);
        boolean right = size == length && number == received;
        for (int at = HEADER; right && at + Long.BYTES <= size; at += Long.BYTES)
        {
            right = buffer.getLong(offset + at) == number * 31 + at;
        }
        if (!right)
        {
            throw new IllegalStateException(
                "instead of message " + received + " came " + size + " bytes of message " + number);
        }
        received++;
        bytes += size;
        latency.recordValue(Math.max(0, System.nanoTime() - buffer.getLong(offset + Long.BYTES)));
    }

    private static Histogram newHistogram()
    {
        return new Histogram(TimeUnit.MINUTES.toNanos(10), DIGITS);
    }

    @Override
    public void close()
    {
        running = false;
        publication.close();
        subscription.close();
    }
}
