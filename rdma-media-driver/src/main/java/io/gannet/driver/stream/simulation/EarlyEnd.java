package io.gannet.driver.stream.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import io.gannet.rdma.sim.SimFabric;

/**
 * Publications that end while connections are lost, or while the publisher's driver is away: who has an image by then
 * gets all that was published.
 */
final class EarlyEnd
{
    /** Nanoseconds of a break at most; far less than images live. */
    private static final int LONGEST = 2_000_000;

    private final Scenario scenario;
    private final SimFabric fabric;
    private final Cluster cluster;
    private final SplittableRandom random;
    private final List<Reader> readers = new ArrayList<>();
    private boolean ended;

    EarlyEnd(final Scenario scenario, final SimFabric fabric, final Cluster cluster, final SplittableRandom random)
    {
        this.scenario = scenario;
        this.fabric = fabric;
        this.cluster = cluster;
        this.random = random;
    }

    private record Reader(SimulatedSubscriber subscriber, SimulatedPublication publication)
    {
    }

    /** All is published; breaks connections and ends the publications before or after. */
    void begin()
    {
        // A NIC that holds the last completions longer than a connection waits for them breaks a stream off, as its
        // end has arrived by then.
        if (!scenario.dropsSlow() && !cluster.mayTimeOut() && !cluster.hasLied() &&
            fabric.profile().longestHold == 0)
        {
            cluster.publications().forEach(this::expectAll);
        }
        if (random.nextBoolean() && cluster.canRestartDriver(0))
        {
            cluster.hosts().getFirst().crashDriver();
            fabric.scheduler().after(1 + random.nextInt(LONGEST), () ->
            {
                cluster.restartDriver(0);
                end();
            });
            return;
        }
        for (final SimulatedHost host : cluster.hosts())
        {
            if (random.nextBoolean())
            {
                host.device().failQueuePair(random.nextInt());
            }
        }
        fabric.scheduler().after(1 + random.nextInt(LONGEST), this::end);
    }

    private void expectAll(final SimulatedPublication publication)
    {
        for (final SimulatedHost host : cluster.subscribersHosts())
        {
            final SimulatedSubscriber subscriber = host.subscriber(publication.id());
            if (subscriber.isReading() && host.hasImage(publication.id(), Long.MAX_VALUE))
            {
                readers.add(new Reader(subscriber, publication));
            }
        }
    }

    private void end()
    {
        final SimulatedHost publisher = cluster.hosts().getFirst();
        cluster.publications().forEach(publication -> publisher.ask(() ->
        {
            publisher.replication().endPublication(publication.stream(), publication.end());
            ended = true;
        }));
    }

    /** {@return whether all publications have been told to end} */
    boolean hasEnded()
    {
        return ended;
    }

    /** Fails if something is missing. */
    void check()
    {
        for (final Reader reader : readers)
        {
            if (reader.subscriber.consumed() != reader.publication.end())
            {
                throw new SimulationFailure("a stream of " + reader.publication.end() + " bytes ended at " +
                    reader.subscriber.consumed() + " for a subscriber");
            }
        }
    }
}
