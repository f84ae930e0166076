package io.gannet.driver;

import io.gannet.control.ClientFile;
import io.gannet.control.CommandWriter;
import io.gannet.control.DriverFile;
import io.gannet.control.EventHandler;
import io.gannet.control.EventReader;
import io.gannet.control.GannetDirectory;
import io.gannet.control.GuardedRing;
import io.gannet.harness.Await;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A client that speaks the protocol and does nothing by itself. Steps a driver in invoker mode while it waits.
 */
final class RawClient implements AutoCloseable
{
    final ClientFile file;
    final CommandWriter commands;
    private final MediaDriver driver;
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

    /** The next event of this name; those before it are dropped. */
    Event await(final String name)
    {
        return Await.value(name, () ->
        {
            driver.doWork();
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
            driver.doWork();
            poll();
        }
        final Set<String> names = new java.util.TreeSet<>();
        events.forEach(event -> names.add(event.name()));
        return names;
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

    private void poll()
    {
        if (ring.read(reader, 100) == GuardedRing.CORRUPT)
        {
            throw new AssertionError("event ring is corrupt");
        }
    }
}
