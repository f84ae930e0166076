package io.gannet.perf.rig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The drivers of the peers, each a process of its own. Only the one that is being measured runs: with as many busy
 * threads as processors, any other would take its time from whichever peer happens to be measured.
 */
final class Drivers
{
    private static final long START_MS = 60_000;

    private final Children children;
    private final Map<String, ChildProcess> drivers = new LinkedHashMap<>();

    Drivers(final Children children)
    {
        this.children = children;
    }

    Path directory(final String peer)
    {
        return children.directory().resolve(peer);
    }

    void start(final String peer, final Class<?> main, final List<String> flags) throws IOException
    {
        final List<String> all = new ArrayList<>(flags);
        all.add("-Drig.directory=" + directory(peer));
        drivers.put(peer, children.start(peer + "-driver", main, all));
    }

    void awaitReady() throws InterruptedException
    {
        for (final ChildProcess driver : drivers.values())
        {
            driver.answer(START_MS);
        }
    }

    long pid(final String peer)
    {
        return drivers.get(peer).pid();
    }

    List<String> peers()
    {
        return List.copyOf(drivers.keySet());
    }

    /** Lets the driver of one peer run alone. */
    void runOnly(final String peer)
    {
        drivers.forEach((name, driver) ->
        {
            if (!driver.isAlive())
            {
                throw new RigException("the driver of " + name + " ended during the run");
            }
            if (name.equals(peer))
            {
                driver.resume();
            }
            else
            {
                driver.pause();
            }
        });
    }

    void runAll()
    {
        drivers.values().forEach(ChildProcess::resume);
    }
}
