package io.gannet.driver;

import io.gannet.systemd.ServiceManager;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Keeps a service manager informed from the conductor's duty cycle: the watchdog, so that a conductor that does not
 * turn is restarted, and a line of status when it has changed. Owned by the conductor's thread.
 */
public final class ServiceStatus implements DriverService, Agent
{
    private static final long STATUS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Of the watchdog's time, as sd_watchdog_enabled(3) recommends. */
    private static final int SHARE = 2;
    private static final SystemCounter[] SHOWN = {SystemCounter.CLIENTS, SystemCounter.PUBLICATIONS,
        SystemCounter.SUBSCRIPTIONS, SystemCounter.RINGS, SystemCounter.RING_BYTES, SystemCounter.ERRORS};

    private final ServiceManager manager;
    private final Map<SystemCounter, AtomicCounter> counters = new EnumMap<>(SystemCounter.class);
    private final long[] told = new long[SHOWN.length];
    private final long watchdogIntervalNanos;
    private long nextStatusNanos;
    private long nextWatchdogNanos;

    private ServiceStatus(final ServiceManager manager, final DriverCounters counters, final long now)
    {
        this.manager = manager;
        for (final SystemCounter counter : SHOWN)
        {
            this.counters.put(counter, counters.system(counter));
        }
        watchdogIntervalNanos = manager.watchdogNanos() / SHARE;
        nextWatchdogNanos = now;
        nextStatusNanos = now + STATUS_INTERVAL_NANOS;
    }

    /** Makes it, or nothing if there is no service manager. */
    public static DriverService.Factory of(final ServiceManager manager)
    {
        return !manager.isThere() ? DriverService.Factory.NONE :
            context -> List.of(new ServiceStatus(manager, context.counters(), System.nanoTime()));
    }

    @Override
    public int doWork()
    {
        onTime(System.nanoTime());
        return 0;
    }

    private void onTime(final long now)
    {
        if (watchdogIntervalNanos > 0 && now - nextWatchdogNanos >= 0)
        {
            nextWatchdogNanos = now + watchdogIntervalNanos;
            manager.watchdog();
        }
        if (now - nextStatusNanos >= 0)
        {
            nextStatusNanos = now + STATUS_INTERVAL_NANOS;
            if (hasChanged() && manager.status(text()))
            {
                remember();
            }
        }
    }

    private boolean hasChanged()
    {
        boolean changed = false;
        for (int i = 0; i < SHOWN.length; i++)
        {
            changed |= value(SHOWN[i]) != told[i];
        }
        return changed;
    }

    private void remember()
    {
        for (int i = 0; i < SHOWN.length; i++)
        {
            told[i] = value(SHOWN[i]);
        }
    }

    private String text()
    {
        return "serving " + value(SystemCounter.CLIENTS) + " clients, " + value(SystemCounter.PUBLICATIONS) +
            " publications, " + value(SystemCounter.SUBSCRIPTIONS) + " subscriptions, " + value(SystemCounter.RINGS) +
            " rings (" + value(SystemCounter.RING_BYTES) / 1024 + " KiB); " + value(SystemCounter.ERRORS) + " errors";
    }

    private long value(final SystemCounter counter)
    {
        return counters.get(counter).get();
    }

    @Override
    public Role role()
    {
        return Role.CONDUCTOR;
    }

    @Override
    public Agent agent()
    {
        return this;
    }

    @Override
    public String roleName()
    {
        return "status";
    }
}
