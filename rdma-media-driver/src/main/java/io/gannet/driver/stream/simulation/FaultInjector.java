package io.gannet.driver.stream.simulation;

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
    private static final long POLL = 200;

    private final SimFabric fabric;
    private final SplittableRandom random;
    private final Simulation simulation;
    private int[] atMessage = {};
    private int begun;
    private int running;

    FaultInjector(final SimFabric fabric, final SplittableRandom random, final Simulation simulation)
    {
        this.fabric = fabric;
        this.random = random;
        this.simulation = simulation;
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
        final List<SimulatedHost> hosts = simulation.hosts();
        final int index = random.nextInt(hosts.size());
        final SimulatedHost host = hosts.get(index);
        final SimDevice device = host.device();
        final long duration = 1 + random.nextLong(random.nextInt(4) == 0 ? LONGEST : LONGEST / 16);
        if (host.isCrashed())
        {
            over();
            return;
        }
        switch (random.nextInt(10))
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
                if (other.address().equals(device.address()))
                {
                    over();
                    return;
                }
                fabric.partition(device.address(), other.address(), true);
                fabric.scheduler().after(
                    duration, () -> end(() -> fabric.partition(device.address(), other.address(), false)));
            }
            case 3 ->
            {
                if (random.nextBoolean())
                {
                    device.kill();
                }
                host.crash();
                fabric.scheduler().after(duration, () -> end(() -> simulation.restart(index)));
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
                simulation.lieAboutConsumption(random.nextBoolean() ? 0 : 1L << 40);
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
                if (!simulation.canRestartDriver(index))
                {
                    over();
                    return;
                }
                if (random.nextBoolean())
                {
                    device.kill();
                }
                host.crashDriver();
                fabric.scheduler().after(duration, () -> end(() -> simulation.restartDriver(index)));
            }
            case 7 ->
            {
                if (index == 0)
                {
                    over();
                    return;
                }
                final List<Long> ids = simulation.publicationIds();
                unsubscribe(index, ids.get(random.nextInt(ids.size())), duration);
            }
            default ->
            {
                host.pause(duration);
                fabric.scheduler().after(duration, this::over);
            }
        }
    }

    /** A subscriber goes, when it is between two polls, and one comes back. */
    private void unsubscribe(final int index, final long publicationId, final long duration)
    {
        final SimulatedHost host = simulation.hosts().get(index);
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
            fabric.scheduler().after(duration, () -> end(() -> simulation.subscribe(index, publicationId)));
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
