package io.gannet.driver;

import io.gannet.counters.CounterTypes;
import io.gannet.rdma.DeviceStatistic;
import io.gannet.rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Shows what the device counts in the control file. Owned by the conductor.
 */
final class DeviceCounters
{
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<DeviceStatistic> statistics = new ArrayList<>();
    private final List<AtomicCounter> shown = new ArrayList<>();
    private long nextNanos = System.nanoTime();

    /** Those for which no counter is left are not shown. */
    DeviceCounters(final RdmaDevice device, final DriverCounters counters)
    {
        for (final DeviceStatistic statistic : device.statistics())
        {
            final AtomicCounter counter = counters.allocate(
                device.name() + ": " + statistic.label(), CounterTypes.DEVICE, new byte[0]);
            if (counter != null)
            {
                statistics.add(statistic);
                shown.add(counter);
            }
        }
    }

    void onTime(final long now)
    {
        if (now - nextNanos >= 0)
        {
            nextNanos = now + INTERVAL_NANOS;
            update();
        }
    }

    void update()
    {
        for (int i = 0; i < shown.size(); i++)
        {
            shown.get(i).setRelease(statistics.get(i).value().getAsLong());     // for readers of the control file
        }
    }
}
