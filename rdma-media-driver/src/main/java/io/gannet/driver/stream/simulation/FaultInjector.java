package io.gannet.driver.stream.simulation;

import java.net.InetAddress;
import java.util.List;
import java.util.SplittableRandom;

import io.gannet.rdma.sim.SimDevice;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;

/**
 * Breaks things at random times, and mends them.
 */
final class FaultInjector
{
    private static final long LONGEST = 8_000_000;
    /** Outlasts the short image time-out by far. */
    private static final long FOR_GOOD = 60_000_000;
    private static final long POLL = 200;
    private static final int NAMES_SOONER = 4;

    private final SimFabric fabric;
    private final SplittableRandom random;
    private final Cluster cluster;
    private int[] atMessage = {};
    private int begun;
    private int running;

    FaultInjector(final SimFabric fabric, final SplittableRandom random, final Cluster cluster)
    {
        this.fabric = fabric;
        this.random = random;
        this.cluster = cluster;
    }

    /** Spreads faults over the messages that will be published. */
    void schedule(final int faults, final int messages)
    {
        running = faults;
        atMessage = random.ints(faults, 0, messages).sorted().toArray();
    }

    /** Injects what is due when so many messages have been published. */
    void onPublished(final int messages)
    {
        while (begun < atMessage.length && atMessage[begun] <= messages)
        {
            begun++;
            fabric.scheduler().after(random.nextLong(500_000), this::inject);
        }
    }

    /** {@return whether all faults are over} */
    boolean isOver()
    {
        return running == 0;
    }

    private void inject()
    {
        final List<SimulatedHost> hosts = cluster.hosts();
        final int index = random.nextInt(hosts.size());
        final SimulatedHost host = hosts.get(index);
        final SimDevice device = host.device();
        final long duration = 1 + random.nextLong(random.nextInt(4) == 0 ? LONGEST : LONGEST / 16);
        if (host.isCrashed())
        {
            over();
            return;
        }
        switch (random.nextInt(14))
        {
            case 0 ->
            {
                device.failQueuePair(random.nextInt());
                over();
            }
            case 1 ->
            {
                device.portDown();
                fabric.scheduler().after(duration, () -> end(device::portUp));
            }
            case 2 ->
            {
                final SimDevice other = hosts.get(random.nextInt(hosts.size())).device();
                final InetAddress one = device.address();
                final InetAddress two = other.address();
                if (one.equals(two))
                {
                    over();
                    return;
                }
                fabric.partition(one, two, true);
                fabric.scheduler().after(duration, () -> end(() -> fabric.partition(one, two, false)));
            }
            case 3 ->
            {
                if (random.nextBoolean())
                {
                    device.kill();
                }
                host.crash();
                moveWhileAway(index);
                if (index == 0 && cluster.mayTimeOut() && random.nextInt(4) == 0)
                {
                    fabric.scheduler().after(FOR_GOOD, () -> end(() ->
                    {
                        cluster.checkGone();
                        cluster.restart(index);
                    }));
                    return;
                }
                fabric.scheduler().after(duration, () -> end(() -> cluster.restart(index)));
            }
            case 4 ->
            {
                final SimProfile profile = fabric.profile();
                final double before = profile.messageLoss;
                profile.messageLoss = 0.3;
                fabric.scheduler().after(duration, () -> end(() -> profile.messageLoss = before));
            }
            case 5 ->
            {
                // Far behind or far ahead: a plausible lie harms the liar's own subscribers, and cannot be told.
                cluster.lieAboutConsumption(random.nextBoolean() ? 0 : 1L << 40);
                over();
            }
            case 6 ->
            {
                final SimProfile profile = fabric.profile();
                final long before = profile.jitter;
                profile.jitter = 400_000;
                fabric.scheduler().after(duration, () -> end(() -> profile.jitter = before));
            }
            case 8 ->
            {
                // The driver's process dies; its clients and their rings live on.
                if (!cluster.canRestartDriver(index))
                {
                    over();
                    return;
                }
                if (random.nextBoolean())
                {
                    device.kill();
                }
                host.crashDriver();
                moveWhileAway(index);
                fabric.scheduler().after(duration, () -> end(() -> cluster.restartDriver(index)));
            }
            case 7 ->
            {
                if (index == 0)
                {
                    over();
                    return;
                }
                unsubscribe(index, anyPublication().id(), duration);
            }
            case 9 ->
            {
                cluster.move(index);
                fabric.scheduler().after(duration / NAMES_SOONER, () -> end(() -> cluster.rename(index)));
            }
            case 10, 11 -> killClient(anyPublication(), duration);
            default ->
            {
                host.pause(duration);
                fabric.scheduler().after(duration, this::over);
            }
        }
    }

    private SimulatedPublication anyPublication()
    {
        return cluster.publications().get(random.nextInt(cluster.publications().size()));
    }

    /** A host that is away may come back at another address. */
    private void moveWhileAway(final int index)
    {
        if (random.nextInt(4) == 0)
        {
            cluster.move(index);
            cluster.rename(index);
        }
    }

    /** A client dies; after a while its driver hears of it, and another client comes. */
    private void killClient(final SimulatedPublication publication, final long duration)
    {
        final SimulatedClient client = cluster.killClient(publication, random.nextInt());
        if (client == null)
        {
            over();
            return;
        }
        fabric.scheduler().after(random.nextLong(duration), () -> publication.onDeath(client));
        fabric.scheduler().after(duration, () -> end(() -> cluster.addClient(publication)));
    }

    /** A subscriber goes, when it is between two polls, and one comes back. */
    private void unsubscribe(final int index, final long publicationId, final long duration)
    {
        final SimulatedHost host = cluster.hosts().get(index);
        final SimulatedSubscriber subscriber = host.subscriber(publicationId);
        if (subscriber == null || host.isCrashed())
        {
            over();
        }
        else if (subscriber.isBusy())
        {
            fabric.scheduler().after(POLL, () -> unsubscribe(index, publicationId, duration));
        }
        else
        {
            host.unsubscribe(publicationId);
            fabric.scheduler().after(duration, () -> end(() -> cluster.subscribe(index, publicationId)));
        }
    }

    private void end(final Runnable mend)
    {
        mend.run();
        over();
    }

    private void over()
    {
        running--;
    }
}
