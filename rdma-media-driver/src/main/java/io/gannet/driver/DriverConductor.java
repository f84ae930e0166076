package io.gannet.driver;

import io.gannet.control.DriverFile;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * The agent that makes and ends streams: serves clients' commands, joins subscribers, looks after liveness. No message
 * passes through it.
 */
final class DriverConductor implements Agent
{
    /** For a client that died, or was unable to tell, between making its file and announcing it. */
    private static final long SCAN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final DriverFile driverFile;
    private final ConductorInbox inbox;
    private final Clients clients;
    private final Streams streams;
    private final DeviceSlot engine;
    private final DriverHealth health;
    private final DriverErrors errors;
    private final DutyParts parts;
    private final long livenessIntervalNanos;
    private long seenArrivals;
    private long nextScanNanos = System.nanoTime();
    private long nextLivenessNanos = System.nanoTime();

    /**
     * @param engine to other hosts, null if there is no device.
     */
    DriverConductor(
        final DriverFile driverFile,
        final ConductorInbox inbox,
        final Clients clients,
        final Streams streams,
        final DeviceSlot engine,
        final DriverHealth health,
        final DriverErrors errors,
        final long livenessIntervalNanos)
    {
        this.driverFile = driverFile;
        this.inbox = inbox;
        this.clients = clients;
        this.streams = streams;
        this.engine = engine;
        this.health = health;
        this.errors = errors;
        this.livenessIntervalNanos = livenessIntervalNanos;
        parts = new DutyParts(errors, this::lookForClients, now -> clients.poll(), this::replicate,
            this::lookAfterWhatThereIs, now -> health.hasFailed() ? 0 : streams.poll());
    }

    @Override
    public int doWork()
    {
        try
        {
            return cycle();
        }
        catch (final InternalError truncated)
        {
            // It may be a client's file, and come again in each cycle.
            if (clients.breakTruncated())
            {
                return 1;
            }
            throw truncated;
        }
    }

    private int cycle()
    {
        final long now = System.nanoTime();
        driverFile.heartbeat(now);
        return inbox.drain() + parts.doWork(now);
    }

    private int lookForClients(final long now)
    {
        if (driverFile.arrivals() != seenArrivals)
        {
            seenArrivals = driverFile.arrivals();
            nextScanNanos = now + SCAN_INTERVAL_NANOS;
            clients.scan();
        }
        else if (now - nextScanNanos >= 0)
        {
            nextScanNanos = now + SCAN_INTERVAL_NANOS;
            clients.scanIfChanged();
        }
        return 0;
    }

    private int replicate(final long now)
    {
        if (engine == null)
        {
            return 0;
        }
        final int work = engine.doWork(now);
        if (engine.isDeviceRemoved())
        {
            health.deviceRemoved(engine.device().name());
        }
        return work;
    }

    private int lookAfterWhatThereIs(final long now)
    {
        if (now - nextLivenessNanos >= 0)
        {
            nextLivenessNanos = now + livenessIntervalNanos;
            if (health.check())
            {
                clients.checkLiveness(now);
                streams.sample(now);
                errors.onTime(now);
            }
        }
        return 0;
    }

    @Override
    public void onClose()
    {
        inbox.drain();
        if (engine != null)
        {
            engine.close();
        }
        clients.close();
        streams.close();
    }

    @Override
    public String roleName()
    {
        return "conductor";
    }
}
