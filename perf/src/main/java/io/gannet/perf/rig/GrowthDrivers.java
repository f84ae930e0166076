package io.gannet.perf.rig;

import io.gannet.perf.worker.DriverLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One driver of Gannet alone in a process of its own, or two with software NICs that streams go between, and the
 * processor time that they use.
 */
public final class GrowthDrivers implements AutoCloseable
{
    private static final String PUBLISHERS = "publishers";
    private static final String SUBSCRIBERS = "subscribers";
    private static final int PORT = 4100;
    /** The most that a driver can be told to have. */
    private static final int MOST_RINGS = 65_536;

    private final Children children = new Children();
    private final Drivers drivers = new Drivers(children);
    private final String address;

    private GrowthDrivers(final boolean two) throws IOException, InterruptedException
    {
        // A network of its own in 127/8: other runs may be under way.
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        final String network = "127." + random.nextInt(1, 255) + "." + random.nextInt(255) + ".";
        address = two ? network + 2 : null;
        drivers.start(SUBSCRIBERS, GannetDriverMain.class, flags(address));
        if (two)
        {
            drivers.start(PUBLISHERS, GannetDriverMain.class, flags(network + 1));
        }
        drivers.awaitReady();
    }

    private static List<String> flags(final String address)
    {
        final List<String> flags = new ArrayList<>(JvmFlags.linkDriver());
        flags.add("-D" + DriverLaunch.MOST_RINGS + "=" + MOST_RINGS);
        if (address != null)
        {
            flags.addAll(List.of("-Drig.address=" + address, "-Drig.idle=auto"));
        }
        return flags;
    }

    /** One driver, streams of one host. */
    public static GrowthDrivers one() throws IOException, InterruptedException
    {
        return new GrowthDrivers(false);
    }

    /** Two drivers on loopback addresses. */
    public static GrowthDrivers two() throws IOException, InterruptedException
    {
        return new GrowthDrivers(true);
    }

    /** Whether streams are replicated. */
    public boolean areTwo()
    {
        return address != null;
    }

    /** Directory of the subscribers' driver, which is everybody's where there is one. */
    public Path subscribers()
    {
        return drivers.directory(SUBSCRIBERS);
    }

    /** Directory of the publishers' driver. */
    public Path publishers()
    {
        return drivers.directory(areTwo() ? PUBLISHERS : SUBSCRIBERS);
    }

    /** Of a subscription. */
    public String channel()
    {
        return areTwo() ? "gannet:rdma?endpoint=" + address + ":" + PORT : "gannet:ipc";
    }

    /** Of a publication. */
    public String channel(final int ringBytes)
    {
        return channel() + (areTwo() ? "|" : "?") + "ring=" + ringBytes;
    }

    /** Nanoseconds of processor time of all their threads, those of the JVM too. */
    public long processorNanos()
    {
        long sum = 0;
        for (final String name : drivers.peers())
        {
            sum += Machine.processorNanos(drivers.pid(name));
        }
        return sum;
    }

    @Override
    public void close()
    {
        children.close();
    }
}
