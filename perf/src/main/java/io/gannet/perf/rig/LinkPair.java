package io.gannet.perf.rig;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.perf.link.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.status.CountersReader;

/**
 * A driver process in each of two network namespaces, and this process as publisher at the first and as subscriber at
 * the second.
 */
public final class LinkPair implements AutoCloseable
{
    private static final long START_MS = 60_000;
    private static final int PORT = 4100;

    private final String channel;
    private final Children children = new Children();
    private final Path[] directories = new Path[2];
    private final List<Gannet> clients = new ArrayList<>();

    /**
     * Starts the drivers.
     */
    public LinkPair(final Namespaces namespaces) throws IOException, InterruptedException
    {
        this(namespaces, Namespaces.FIRST, Namespaces.SECOND);
    }

    /**
     * Starts the drivers with addresses of the link's ends.
     */
    public LinkPair(final Namespaces namespaces, final String first, final String second)
        throws IOException, InterruptedException
    {
        channel = "gannet:rdma?endpoint=" + (second.indexOf(':') < 0 ? second : "[" + second + "]") + ":" + PORT;
        final List<ChildProcess> drivers = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            directories[i] = Files.createDirectory(children.directory().resolve("end-" + i)).resolve("gannet");
            final List<String> flags = new ArrayList<>(JvmFlags.linkDriver());
            flags.addAll(List.of("-Drig.directory=" + directories[i],
                "-Drig.address=" + (i == 0 ? first : second), "-Drig.idle=auto"));
            drivers.add(children.start("driver-" + i, namespaces.inside(i), GannetDriverMain.class, flags));
        }
        for (final ChildProcess driver : drivers)
        {
            driver.answer(START_MS);
        }
        for (final Path directory : directories)
        {
            clients.add(Gannet.connect(
                new Gannet.Context().directory(directory).driverTimeout(60, TimeUnit.SECONDS)));
        }
    }

    /** Subscribes at the second end. */
    public Subscription subscribe(final int stream)
    {
        return clients.get(1).addSubscription(channel, stream);
    }

    /** Publishes from the first end to the second. */
    public ExclusivePublication publish(final int stream, final String ring)
    {
        return clients.getFirst().addExclusivePublication(channel + "|ring=" + ring, stream);
    }

    /** A counter of a driver's device, by the end of its label. */
    public long counter(final int end, final String label)
    {
        try (ControlFile control = ControlFile.open(new GannetDirectory(directories[end]), false))
        {
            final CountersReader counters = control.countersReader();
            final long[] value = new long[1];
            counters.forEach((id, typeId, key, text) ->
                value[0] += text.endsWith(": " + label) ? counters.getCounterValue(id) : 0);
            return value[0];
        }
    }

    @Override
    public void close()
    {
        clients.forEach(Gannet::close);
        children.close();
    }
}
