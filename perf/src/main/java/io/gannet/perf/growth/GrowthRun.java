package io.gannet.perf.growth;

import io.gannet.perf.rig.GrowthDrivers;
import io.gannet.perf.rig.RigException;
import io.gannet.perf.rig.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Measures all curves.
 */
public final class GrowthRun
{
    private static final Path MAX_MAPS = Path.of("/proc/sys/vm/max_map_count");
    /** Mappings of one stream in the client: three of the publication and three of the subscription. */
    private static final int MAPS_PER_STREAM = 6;
    private static final int OTHER_MAPS = 2_000;
    private static final int MESSAGE_RING = 16 << 20;
    private static final int LARGEST_RING = 512 << 20;
    private static final int SUBSCRIBER_RING = 1 << 20;
    private static final int PAYLOAD = 96;
    private static final int FEW = 10;
    private static final int MOST_SETTLING = 10;
    private static final double SETTLED = 0.8;

    private final GrowthOptions options;
    private final PrintWriter progress;
    private final List<Point> points = new ArrayList<>();

    /**
     * @param progress where one line for each point goes.
     */
    public GrowthRun(final GrowthOptions options, final PrintWriter progress)
    {
        this.options = options;
        this.progress = progress;
    }

    /** Measures; ends all processes however it ends. */
    public List<Point> run() throws IOException, InterruptedException
    {
        subscribers();
        rings();
        messages();
        try
        {
            streams();
            replicated();
        }
        catch (final RigException e)
        {
            throw e;
        }
        catch (final RuntimeException e)
        {
            throw new RigException("streams: " + e.getMessage(), e);
        }
        return List.copyOf(points);
    }

    private void add(final Curve curve, final long x, final Summary value)
    {
        points.add(new Point(curve, x, value.median(), value.low(), value.high(), value.n()));
        progress.printf(Locale.ROOT, "%-24s %-40s %,12d %12.2f %s%n", curve.plot().file(), curve.label(), x,
            value.median(), curve.plot().unit());
        progress.flush();
    }

    private void add(final Curve curve, final long x, final double value)
    {
        add(curve, x, Summary.of(List.of(value)));
    }

    private long nanos()
    {
        return options.millis() * 1_000_000L;
    }

    private void streams() throws IOException, InterruptedException
    {
        if (options.streams().isEmpty())
        {
            return;
        }
        try (GrowthDrivers driver = GrowthDrivers.one(); StreamTimes times = new StreamTimes(driver))
        {
            for (final int count : new TreeSet<>(options.streams()))
            {
                if (fits(count))
                {
                    add(Curve.ADD, count, times.grow(count));
                    shares(times, count, Curve.DRIVER_IDLE, Curve.DRIVER_TEN, Curve.DRIVER_SHARE);
                    add(Curve.EMPTY_POLL, count, times.emptyPoll());
                    add(Curve.CLIENT_DUTY, count, times.clientDuty());
                }
            }
        }
    }

    private boolean fits(final int count) throws IOException
    {
        final long allowed =
            Files.exists(MAX_MAPS) ? Long.parseLong(Files.readAllLines(MAX_MAPS).getFirst()) : Long.MAX_VALUE;
        final long needed = count * (long) MAPS_PER_STREAM + OTHER_MAPS;
        if (needed > allowed)
        {
            progress.printf(Locale.ROOT, "%,d streams: not run, vm.max_map_count is %,d, %,d are needed%n", count,
                allowed, needed);
            progress.flush();
        }
        return needed <= allowed;
    }

    private void replicated() throws IOException, InterruptedException
    {
        if (options.replicated().isEmpty())
        {
            return;
        }
        try (GrowthDrivers drivers = GrowthDrivers.two(); StreamTimes times = new StreamTimes(drivers))
        {
            for (final int count : new TreeSet<>(options.replicated()))
            {
                times.grow(count);
                shares(times, count, Curve.REPLICATED_IDLE, Curve.REPLICATED_TEN, Curve.REPLICATED_SHARE);
            }
        }
    }

    private void shares(
        final StreamTimes times, final int count, final Curve idle, final Curve ten, final Curve share)
    {
        settle(times);
        add(idle, count, times.idle(nanos()));
        final StreamTimes.Active few = times.active(Math.min(FEW, count), nanos());
        add(ten, count, few.drivers());
        if (ten == Curve.DRIVER_TEN)
        {
            add(Curve.MESSAGE, count, few.message());
        }
        add(share, count, times.active(Math.max(1, count / 100), nanos()).drivers());
    }

    /** Until compilers and the telling of what was added are done with, within bounds. */
    private void settle(final StreamTimes times)
    {
        double before = times.idle(nanos()).median();
        for (int i = 0; i < MOST_SETTLING; i++)
        {
            final double now = times.idle(nanos()).median();
            if (now > before * SETTLED)
            {
                return;
            }
            before = now;
        }
    }

    private void subscribers()
    {
        for (final int count : options.subscribers())
        {
            try (RingTimes ring = new RingTimes(SUBSCRIBER_RING, count))
            {
                ring.measure(PAYLOAD, nanos() / 2);
                final RingTimes.Times times = ring.measure(PAYLOAD, nanos());
                add(Curve.OFFER_SUBSCRIBERS, count, times.offer());
                add(Curve.POLL_SUBSCRIBERS, count, times.poll());
            }
        }
    }

    private void rings()
    {
        for (final int size : options.ringMiB())
        {
            try (RingTimes ring = new RingTimes(size << 20, 1))
            {
                ring.measure(PAYLOAD, nanos() / 2);
                final RingTimes.Times times = ring.measure(PAYLOAD, nanos());
                add(Curve.OFFER_RING, size, times.offer());
                add(Curve.POLL_RING, size, times.poll());
                add(Curve.MAKE_RING, size, ring.makeMillis());
            }
        }
    }

    private void messages()
    {
        final TreeSet<Integer> sizes = new TreeSet<>(options.messages());
        if (sizes.isEmpty())
        {
            return;
        }
        final int most;
        try (RingTimes ring = new RingTimes(MESSAGE_RING, 1))
        {
            most = ring.maxMessageLength();
            sizes.add(most);
            sizes.headSet(most, true).forEach(bytes -> message(ring, bytes));
        }
        if (!sizes.tailSet(most, false).isEmpty())
        {
            try (RingTimes ring = new RingTimes(LARGEST_RING, 1))
            {
                sizes.tailSet(most, false).forEach(bytes -> message(ring, bytes));
            }
        }
    }

    private void message(final RingTimes ring, final int bytes)
    {
        final RingTimes.Times times = ring.measure(bytes, nanos());
        add(Curve.OFFER_BYTES, bytes, times.offer());
        add(Curve.POLL_BYTES, bytes, times.poll());
    }
}
