package io.gannet.perf.growth;

import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.perf.rig.GrowthDrivers;
import io.gannet.perf.rig.RigException;
import io.gannet.perf.rig.Summary;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client with many streams, publisher and subscriber of each in one thread, and the processor time of the driver, or
 * of the two drivers, that serve it.
 */
final class StreamTimes implements AutoCloseable
{
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final int RING = 64 * 1024;
    private static final int PAYLOAD = 96;
    private static final int BATCH = 32;
    private static final int WINDOWS = 10;
    private static final int DUTIES = 50;
    private static final int MOST_POLLS = 20_000;
    /** Between two rounds of the active streams: an active stream is not a saturated one. */
    private static final long PAUSE_NANOS = 1_000_000;

    private final GrowthDrivers drivers;
    private final Gannet publisher;
    private final Gannet subscriber;
    private final List<ExclusivePublication> publications = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final UnsafeBuffer source = new UnsafeBuffer(BufferUtil.allocateDirectAligned(PAYLOAD, 64));
    private long received;
    private final FragmentHandler handler = (buffer, offset, length, header) -> received++;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** With clients of the given drivers, which the caller ends. */
    StreamTimes(final GrowthDrivers drivers)
    {
        this.drivers = drivers;
        subscriber = Gannet.connect(context().directory(drivers.subscribers()));
        publisher = drivers.areTwo() ? Gannet.connect(context().directory(drivers.publishers())) : subscriber;
    }

    private static Gannet.Context context()
    {
        return new Gannet.Context().name("perf growth").useConductorInvoker(true)
            .driverTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Adds streams until there are so many; returns milliseconds for each that was added. */
    double grow(final int count)
    {
        final int before = publications.size();
        final long begun = System.nanoTime();
        while (publications.size() < count)
        {
            final int stream = publications.size() + 1;
            subscriptions.add(subscriber.addSubscription(drivers.channel(), stream));
            publications.add(publisher.addExclusivePublication(drivers.channel(RING), stream));
        }
        for (int i = before; i < count; i++)
        {
            while (!subscriptions.get(i).isConnected() || !publications.get(i).isConnected())
            {
                service();
                if (System.nanoTime() - begun > PATIENCE_NANOS)
                {
                    throw new RigException(count + " streams are not connected after 120 s");
                }
                LockSupport.parkNanos(100_000);
            }
        }
        return (System.nanoTime() - begun) / 1e6 / Math.max(1, count - before);
    }

    private void service()
    {
        subscriber.conductorInvoker().invoke();
        if (drivers.areTwo())
        {
            publisher.conductorInvoker().invoke();
        }
    }

    /** Share of a core that the drivers use while nothing moves, in percent. */
    Summary idle(final long nanos)
    {
        return active(0, nanos).drivers();
    }

    /**
     * What came of a time with some streams active.
     *
     * @param drivers share of a core, in percent.
     * @param message nanoseconds of this thread for a message.
     */
    record Active(Summary drivers, Summary message)
    {
    }

    /** Sends batches over the first streams, the others stay idle. */
    Active active(final int streams, final long nanos)
    {
        final List<Double> shares = new ArrayList<>();
        final List<Double> messages = new ArrayList<>();
        for (int window = 0; window < WINDOWS; window++)
        {
            final long before = drivers.processorNanos();
            final long begun = System.nanoTime();
            while (System.nanoTime() - begun < nanos / WINDOWS)
            {
                if (streams > 0)
                {
                    messages.add(round(streams));
                }
                service();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            shares.add((drivers.processorNanos() - before) * 100.0 / (System.nanoTime() - begun));
        }
        return new Active(Summary.of(shares), Summary.of(messages));
    }

    private double round(final int streams)
    {
        final long before = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < streams; i++)
        {
            offer(publications.get(i));
            if (!drivers.areTwo())
            {
                take(subscriptions.get(i));
            }
        }
        for (int i = 0; drivers.areTwo() && i < streams; i++)
        {
            take(subscriptions.get(i));
        }
        return (threads.getCurrentThreadCpuTime() - before) / (double) (streams * BATCH);
    }

    /** What was taken in the rounds before is free once a driver has had a processor to say so. */
    @SuppressWarnings("ThreadPriorityCheck") // the drivers may need this processor
    private void offer(final ExclusivePublication publication)
    {
        final long begun = System.nanoTime();
        for (int i = 0; i < BATCH; i++)
        {
            for (long result = publication.offer(source, 0, PAYLOAD); result < 0;
                result = publication.offer(source, 0, PAYLOAD))
            {
                if (result != Publication.BACK_PRESSURED || System.nanoTime() - begun > PATIENCE_NANOS)
                {
                    throw new RigException("stream " + publication.streamId() +
                        ", which is empty, does not take an offer: " + result);
                }
                service();
                Thread.yield();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the drivers may need this processor
    private void take(final Subscription subscription)
    {
        final long wanted = received + BATCH;
        final long begun = System.nanoTime();
        while (received < wanted)
        {
            if (subscription.poll(handler, BATCH) == 0)
            {
                service();
                if (System.nanoTime() - begun > PATIENCE_NANOS)
                {
                    throw new RigException("stream " + subscription.streamId() + ": " + (wanted - received) +
                        " messages did not arrive in 120 s");
                }
                Thread.yield();
            }
        }
    }

    /** Nanoseconds of a poll that finds nothing, when all subscriptions are polled in turn. */
    Summary emptyPoll()
    {
        final List<Double> times = new ArrayList<>();
        for (int round = Math.max(10, MOST_POLLS / subscriptions.size()); round > 0; round--)
        {
            final long before = System.nanoTime();
            for (int i = 0; i < subscriptions.size(); i++)
            {
                subscriptions.get(i).poll(handler, 1);
            }
            times.add((System.nanoTime() - before) / (double) subscriptions.size());
        }
        return Summary.of(times);
    }

    /** Nanoseconds of one duty cycle of the client's conductor. */
    Summary clientDuty()
    {
        final List<Double> times = new ArrayList<>();
        for (int i = 0; i < DUTIES; i++)
        {
            final long before = System.nanoTime();
            subscriber.conductorInvoker().invoke();
            times.add((double) (System.nanoTime() - before));
        }
        return Summary.of(times);
    }

    @Override
    public void close()
    {
        publisher.close();
        subscriber.close();
    }
}
