package io.gannet;

import io.gannet.control.ClientFile;
import io.gannet.control.CommandWriter;
import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.EventHandler;
import io.gannet.control.EventReader;
import io.gannet.control.GannetDirectory;
import io.gannet.control.GuardedRing;
import io.gannet.os.FileWatch;
import io.gannet.os.LateFault;
import io.gannet.os.NamedPipe;
import io.gannet.ring.Bell;
import io.gannet.ring.PipeWaker;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The client's files and rings, and the driver at their other end, through its deaths and returns. For the conductor.
 */
final class DriverLink
{
    private static final long HEARTBEAT_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);
    /** A driver that gave no sign for so long is asked for its lock. */
    private static final long SUSPICION = TimeUnit.MILLISECONDS.toNanos(500);
    /** A driver that lives and gave no sign for so long is said not to respond: it sleeps for far less. */
    private static final long SILENCE = TimeUnit.SECONDS.toNanos(1);
    private static final int EVENT_LIMIT = 32;

    /** Where the conversation stands. */
    enum Phase
    {
        /** Nothing was said yet. */
        NEW,
        /** Connect was sent. */
        CONNECTING,
        /** The driver answered. */
        CONNECTED,
        /** There is no driver. */
        LOST
    }

    /** Makes the link of a conductor whose events it delivers. */
    @FunctionalInterface
    interface Factory
    {
        DriverLink create(EventHandler handler);
    }

    private final GannetDirectory directory;
    private final ClientFile client;
    private final CommandWriter commands;
    private final GuardedRing events;
    private final EventReader eventReader;
    private final ArrayDeque<Predicate<CommandWriter>> outbox = new ArrayDeque<>();
    private final NamedPipe pipe;
    private final Bell.Waker waker;
    private final FileWatch ownFile;
    private DriverFile driver;
    private volatile ControlFile control;
    private volatile long epoch;
    private volatile Phase phase = Phase.NEW;
    /** Of a driver whose process ended; no other has it. */
    private long deadEpoch;
    private long lastHeartbeat;
    private long seenDriverHeartbeat;
    private long seenDriverHeartbeatAt;
    private String lastProblem = "";
    private String driverText = "no driver";
    private volatile boolean silent;
    private volatile DriverState lostState = DriverState.DEAD;

    DriverLink(final GannetDirectory directory, final ClientFile client, final EventHandler handler)
    {
        this.directory = directory;
        this.client = client;
        commands = client.commandWriter();
        events = client.events();
        eventReader = new EventReader(handler);
        pipe = new NamedPipe(directory.pipe());
        waker = new PipeWaker(pipe);
        ownFile = client.watch();
    }

    GannetDirectory directory()
    {
        return directory;
    }

    ClientFile client()
    {
        return client;
    }

    /** Wakes whoever sleeps on a ring of the directory, the driver included. Any thread. */
    Bell.Waker waker()
    {
        return waker;
    }

    ControlFile control()
    {
        return control;
    }

    Phase phase()
    {
        return phase;
    }

    long epoch()
    {
        return epoch;
    }

    /** Whether the driver's files are as long as they should be, if there is a driver. System calls. */
    boolean isWhole()
    {
        final ControlFile file = control;
        return driver == null || (driver.isWhole() && file.isWhole());
    }

    /** Why there is no connection, for people. */
    String lastProblem()
    {
        return lastProblem;
    }

    /** Starts a conversation: the caller sends Connect and what it holds, then {@link #open()}. */
    void attach(final DriverProbe found)
    {
        if (driver != null)
        {
            driver.close();
        }
        final ControlFile old = control;
        driver = found.driver();
        control = found.control();
        if (old != null)
        {
            old.close();
        }
        epoch = control.driver().epoch();
        driverText = driver.info().toString();
        silent = false;
        outbox.clear();
        client.clearRings();
        seenDriverHeartbeatAt = System.nanoTime();
        phase = Phase.CONNECTING;
    }

    /** Lets the driver see the rings. */
    void open()
    {
        flush();
        client.connectTo(epoch);
        driver.arrive();
    }

    /** The driver accepted. */
    void onConnected()
    {
        phase = Phase.CONNECTED;
    }

    /** The driver is gone, or can't be talked to. */
    void onLost()
    {
        lostState = DriverState.DEAD;
        phase = Phase.LOST;
        outbox.clear();
        final ControlFile last = control;
        if (last != null && !last.isWhole())
        {
            // The application's counters go on in memory; a touch of what was cut off would be a fault.
            last.close();
        }
    }

    /** What the application is told of the driver. Any thread. */
    DriverState driverState()
    {
        return switch (phase)
        {
            case CONNECTED -> silent ? DriverState.NOT_RESPONDING : DriverState.RUNNING;
            case NEW, CONNECTING -> silent ? DriverState.NOT_RESPONDING : DriverState.STARTING;
            case LOST -> lostState;
        };
    }

    /** Sends a command when there is room in the ring; without a driver it is dropped, as a new one starts anew. */
    void send(final Predicate<CommandWriter> command)
    {
        if (phase != Phase.LOST)
        {
            outbox.add(command);
        }
    }

    /** Writes what fits; returns how many commands. */
    int flush()
    {
        int sent = 0;
        while (!outbox.isEmpty() && outbox.peek().test(commands))
        {
            outbox.poll();
            sent++;
        }
        if (sent > 0)
        {
            driver.bell().ring();
        }
        return sent;
    }

    /** Hands on events; {@link GuardedRing#CORRUPT} when the ring is out of step. */
    int readEvents()
    {
        return phase == Phase.LOST || phase == Phase.NEW ? 0 : events.read(eventReader, EVENT_LIMIT);
    }

    /** Beats, and says whether it is time to look after the driver. */
    boolean beat(final long now)
    {
        if (now - lastHeartbeat < HEARTBEAT_INTERVAL)
        {
            return false;
        }
        lastHeartbeat = now;
        client.heartbeat(now);
        return true;
    }

    /** Whether the driver of this conversation is gone. */
    boolean isDriverGone(final long now)
    {
        if (driver.epoch() != epoch)
        {
            deadEpoch = epoch;
            return true;
        }
        final long heartbeat = driver.heartbeat();
        if (heartbeat != seenDriverHeartbeat)
        {
            seenDriverHeartbeat = heartbeat;
            seenDriverHeartbeatAt = now;
            silent = false;
            return false;
        }
        silent = now - seenDriverHeartbeatAt > SILENCE;
        if (now - seenDriverHeartbeatAt > SUSPICION && !driver.isAlive())
        {
            deadEpoch = epoch;
            return true;
        }
        return false;
    }

    /** Whether the process of the driver is known to be gone. A system call. */
    boolean isDriverDead()
    {
        return driver != null && !driver.isAlive();
    }

    /** How long the driver has given no sign, in nanoseconds. */
    long driverSilence(final long now)
    {
        return now - seenDriverHeartbeatAt;
    }

    /** Looks for a driver; null, and {@link #lastProblem()}, if there is none that runs. */
    DriverProbe find()
    {
        final DriverProbe found = DriverProbe.look(directory);
        lastProblem = found.text();
        lostState = found.state();
        if (found.state() == DriverState.RUNNING && found.control().driver().epoch() == deadEpoch)
        {
            // Its successor has the lock, and has not yet written down that it is starting.
            found.control().close();
            found.driver().close();
            lostState = DriverState.STARTING;
            return null;
        }
        return found.state() == DriverState.RUNNING ? found : null;
    }

    /** What happened to this client's own file, without which no driver knows of it; null if it is all right. */
    String ownFileProblem()
    {
        final String problem = ownFile.problem();
        return problem == null ? noiseInOwnFile() : problem;
    }

    private String noiseInOwnFile()
    {
        final String problem = client.problem();
        return problem == null && !(commands.isIntact() && events.isIntact()) ? client.noise() : problem;
    }

    /** Who the driver is or was. */
    String describeDriver()
    {
        return driverText;
    }

    /** Lets go of everything, after telling the driver. */
    void close(final long correlationId)
    {
        final FileWatch.State own = ownFile.look();
        try
        {
            if (own != FileWatch.State.SHORTENED && noiseInOwnFile() == null &&
                (phase == Phase.CONNECTING || phase == Phase.CONNECTED))
            {
                outbox.add(out -> out.closeClient(correlationId));
                flush();
            }
        }
        catch (final InternalError truncated)
        {
            // The driver notices by the lock.
        }
        LateFault.discard();
        // The driver, if there is one, has it mapped and reads the last commands from there.
        if (own == FileWatch.State.SAME)
        {
            client.delete();
        }
        client.close();
        closeDriver();
        pipe.close();
        final ControlFile last = control;
        if (last != null)
        {
            last.close();
        }
    }

    private void closeDriver()
    {
        if (driver != null)
        {
            try
            {
                driver.bell().ring();
            }
            catch (final InternalError truncated)
            {
                // It is not going to hear anything any more.
            }
            driver.close();
        }
    }
}
