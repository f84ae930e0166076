package io.gannet.cli.trace;

import io.gannet.control.GannetDirectory;
import io.gannet.counters.CounterTypes;
import io.gannet.monitor.Latency;
import io.gannet.os.OsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Times some messages of some streams again and again, in a thread of its own: a burst of samples of each session twice
 * a second, of which each takes a processor for {@link #BURST_NANOS} at most. Sessions and subscribers may come and go.
 * Thread-safe.
 */
public final class LatencySampler implements AutoCloseable
{
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int SAMPLES = 50;
    private static final long WIDEST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int MOST_SESSIONS = 16;

    private final GannetDirectory directory;
    private final List<Integer> streams;
    private final Map<Place, Sums> sums = new LinkedHashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    /** What a histogram is of. */
    private record Place(int stream, int session, String from, String to)
    {
    }

    private static final class Sums
    {
        private final long[] buckets = new long[CounterTypes.CYCLE_BUCKETS];
        private long nanos;

        void add(final long took)
        {
            buckets[CounterTypes.cycleBucket(took)]++;
            nanos += took;
        }
    }

    /** Starts to look at streams of a driver. */
    public LatencySampler(final GannetDirectory directory, final List<Integer> streams)
    {
        this.directory = directory;
        this.streams = List.copyOf(streams);
        thread = Thread.ofPlatform().daemon(true).name("gannet-latency").start(this::run);
    }

    /** {@return what was measured since it began, of the places that there are now} */
    public List<Latency> latencies()
    {
        synchronized (sums)
        {
            final List<Latency> all = new ArrayList<>();
            sums.forEach((place, sum) -> all.add(new Latency(
                place.stream, place.session, place.from, place.to, new Latency.Buckets(sum.buckets), sum.nanos)));
            return all;
        }
    }

    private void run()
    {
        while (!closed)
        {
            final Set<Place> there = new HashSet<>();
            for (final int stream : streams)
            {
                look(stream, there);
            }
            synchronized (sums)
            {
                sums.keySet().retainAll(there);
            }
            if (!closed)
            {
                LockSupport.parkNanos(ROUND_NANOS);
            }
        }
    }

    private void look(final int stream, final Set<Place> there)
    {
        try
        {
            final Set<Integer> sessions;
            try (Hops all = Hops.open(List.of(directory), stream, null))
            {
                sessions = all.sessions();
            }
            int looked = 0;
            for (final int session : sessions)
            {
                if (!closed && looked++ < MOST_SESSIONS)
                {
                    sample(stream, session, there);
                }
            }
        }
        catch (final IOException | OsException | InternalError none)
        {
            // No driver yet, or a ring that goes just now or was truncated: the next look may find what there is.
            return;
        }
    }

    private void sample(final int stream, final int session, final Set<Place> there) throws IOException
    {
        try (Hops hops = Hops.open(List.of(directory), stream, session))
        {
            final List<Stage> stages = hops.stages();
            if (stages.isEmpty())
            {
                return;
            }
            hops.tracer(stages, 0, WIDEST_NANOS, BURST_NANOS, true).run(SAMPLES, System.nanoTime() + BURST_NANOS);
            for (final Stage stage : stages)
            {
                final Place place = new Place(stream, session, hops.first(), stage.name());
                there.add(place);
                synchronized (sums)
                {
                    final Sums sum = sums.computeIfAbsent(place, key -> new Sums());
                    stage.fromStart().drainTo(sum::add);
                    for (long missed = stage.takeMissed(); missed > 0; missed--)
                    {
                        // Not known how long: at least so long.
                        sum.buckets[sum.buckets.length - 1]++;
                        sum.nanos += BURST_NANOS;
                    }
                }
            }
        }
    }

    @Override
    public void close()
    {
        closed = true;
        LockSupport.unpark(thread);
    }
}
