package io.gannet.driver;

import io.gannet.control.ClientFile;
import io.gannet.control.CommandWriter;
import io.gannet.control.DriverFile;
import io.gannet.control.EventHandler;
import io.gannet.control.EventReader;
import io.gannet.control.GannetDirectory;
import io.gannet.control.GuardedRing;
import io.gannet.harness.Await;
import io.gannet.os.Mapping;
import io.gannet.os.SharedFile;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client that speaks the protocol and does nothing by itself. Steps a driver in invoker mode, if it has one, while it
 * waits.
 */
final class RawClient implements AutoCloseable
{
    private static final int LONGEST_ANSWER = 1024;

    final ClientFile file;
    final CommandWriter commands;
    private MediaDriver driver;
    private final Path path;
    private final GuardedRing ring;
    private final EventReader reader;
    private final List<Event> events = new ArrayList<>();

    /**
     * An event of the driver.
     *
     * @param name      of the handler's method.
     * @param arguments of it.
     */
    record Event(String name, List<Object> arguments)
    {
        long asLong(final int index)
        {
            return ((Number) arguments.get(index)).longValue();
        }
    }

    RawClient(final Path directory, final MediaDriver driver)
    {
        this.driver = driver;
        file = ClientFile.create(new GannetDirectory(directory), "raw");
        path = new GannetDirectory(directory).client(file.clientId());
        commands = file.commandWriter();
        ring = file.events();
        reader = new EventReader((EventHandler) Proxy.newProxyInstance(EventHandler.class.getClassLoader(),
            new Class<?>[] {EventHandler.class}, (proxy, method, arguments) ->
            {
                events.add(new Event(method.getName(), List.of(arguments)));
                return null;
            }));
    }

    /** Introduces itself to the driver and waits for the answer. */
    RawClient connect(final Path directory)
    {
        try (DriverFile driverFile = DriverFile.open(new GannetDirectory(directory), true))
        {
            file.clearRings();
            commands.connect(1, driverFile.epoch());
            file.connectTo(driverFile.epoch());
            driverFile.arrive();
        }
        await("onConnected");
        return this;
    }

    /** Introduces itself to the driver that came after. */
    void reconnect(final MediaDriver nextDriver, final Path directory)
    {
        driver = nextDriver;
        events.clear();
        connect(directory);
    }

    /** Names of the events before the next one of this name. */
    List<String> eventsUpTo(final String name)
    {
        final List<String> names = new ArrayList<>();
        Await.until(name, () ->
        {
            step();
            poll();
            while (!events.isEmpty())
            {
                final Event event = events.removeFirst();
                if (event.name().equals(name))
                {
                    return true;
                }
                names.add(event.name());
            }
            return false;
        });
        return names;
    }

    /** The next event of this name; those before it are dropped. */
    Event await(final String name)
    {
        return Await.value(name, () ->
        {
            step();
            poll();
            while (!events.isEmpty())
            {
                final Event event = events.removeFirst();
                if (event.name().equals(name))
                {
                    return event;
                }
            }
            return null;
        });
    }

    /** Steps the driver so often, and returns the names of all events that came. */
    Set<String> eventsWithin(final int cycles)
    {
        for (int i = 0; i < cycles; i++)
        {
            step();
            poll();
        }
        final Set<String> names = new java.util.TreeSet<>();
        events.forEach(event -> names.add(event.name()));
        return names;
    }

    /** Sends a Connect of another protocol version, which the real writer can't: into the fresh ring's first record. */
    void connectAs(final int protocolVersion, final long epoch)
    {
        commands.connect(1, epoch);
        try (SharedFile shared = SharedFile.open(path))
        {
            final int length = (int) shared.length();
            final long address = Mapping.map(shared, 0, length, true, false);
            final UnsafeBuffer bytes = new UnsafeBuffer(address, length);
            for (int i = 0; i < length - 24; i += 8)
            {
                if (bytes.getLong(i) == 1 && bytes.getLong(i + 8) == epoch)
                {
                    bytes.putShort(i + 16, (short) protocolVersion);
                }
            }
            Mapping.unmap(address, length);
        }
    }

    void heartbeat()
    {
        file.heartbeat(System.nanoTime());
    }

    /** Dies: the lock goes, the file stays. */
    @Override
    public void close()
    {
        file.close();
    }

    /** Lets answers wait until its events are full. */
    void fillEvents()
    {
        final long[] correlation = {1_000_000};
        Await.until("events to be full", () ->
        {
            while (commands.removeCounter(correlation[0], correlation[0]))
            {
                correlation[0]++;
            }
            step();
            return ring.size() > ring.capacity() - LONGEST_ANSWER;
        });
    }

    private void step()
    {
        if (driver != null)
        {
            driver.doWork();
        }
    }

    private void poll()
    {
        if (ring.read(reader, 100) == GuardedRing.CORRUPT)
        {
            throw new AssertionError("event ring is corrupt");
        }
    }
}
