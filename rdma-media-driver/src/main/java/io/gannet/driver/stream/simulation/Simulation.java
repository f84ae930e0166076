package io.gannet.driver.stream.simulation;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.RingMemory;

/**
 * One run of a {@link Scenario}: publishes, breaks things, mends them, and then everything must drain, end and be given
 * back.
 */
public final class Simulation
{
    /** Virtual time after the last fault within which everything must have drained. */
    private static final long PATIENCE = 400_000_000;

    private final Scenario scenario;
    private final SimTrace trace;
    private final SimFabric fabric;
    private final Cluster cluster;
    private final Invariants invariants;
    private long steps;

    /**
     * @param traceLines events to keep as text.
     */
    public Simulation(final Scenario scenario, final int traceLines)
    {
        this.scenario = scenario;
        final SplittableRandom random = new SplittableRandom(scenario.seed());
        final Interleaving interleaving =
            new Interleaving(new SplittableRandom(~scenario.seed()), scenario.yields());
        final RingMemory memory = scenario.yields() ? new YieldingMemory(interleaving) : NativeMemory.INSTANCE;
        final PlacementMemory placement = new PlacementMemory();
        trace = new SimTrace(traceLines);
        fabric = new SimFabric(random.nextLong(), Conditions.profile(scenario, random), placement, trace);
        cluster = new Cluster(scenario, random, fabric, interleaving, memory, placement);
        invariants = new Invariants(scenario, fabric, cluster);
    }

    /**
     * Runs to the end.
     *
     * @return a digest of all events: the same for the same seed and program.
     * @throws SimulationFailure if something did not hold.
     */
    public long run()
    {
        try
        {
            cluster.start();
            await("all messages are published", () -> cluster.faults().isOver() &&
                cluster.publications().stream().allMatch(SimulatedPublication::isDone));
            fabric.profile().calm();
            if (scenario.endsEarly())
            {
                endEarly();
            }
            else
            {
                drainAndEnd();
            }
            shutDown();
            return trace.digest();
        }
        finally
        {
            cluster.free();
        }
    }

    private void drainAndEnd()
    {
        await("subscribers have everything", this::isDrained);
        final SimulatedHost publisher = cluster.hosts().getFirst();
        cluster.publications().forEach(publication -> publisher.ask(() ->
            publisher.replication().endPublication(publication.stream(), publication.end())));
        await("the stream has ended", this::isEnded);
    }

    private void endEarly()
    {
        final EarlyEnd end = new EarlyEnd(scenario, fabric, cluster, new SplittableRandom(~scenario.seed()));
        end.begin();
        await("the stream has ended early", () -> end.hasEnded() && isEnded());
        end.check();
    }

    private boolean isDrained()
    {
        return cluster.publications().stream().allMatch(publication -> cluster.subscribersHosts().stream()
            .allMatch(host -> host.subscriber(publication.id()).consumed() == publication.end()));
    }

    private boolean isEnded()
    {
        final SimulatedHost publisher = cluster.hosts().getFirst();
        return cluster.publications().stream()
            .allMatch(publication -> publisher.replication().isDone(publication.stream())) &&
            cluster.subscribersHosts().stream()
            .flatMap(host -> host.subscribers().stream()).noneMatch(SimulatedSubscriber::isReading);
    }

    private void shutDown()
    {
        final List<SimulatedHost> hosts = cluster.hosts();
        hosts.forEach(host -> host.ask(() -> host.replication().stop()));
        await("drivers have stopped", () -> hosts.stream().allMatch(host -> host.replication().isStopped()));
        cluster.threads().stop();
        await("steps have ended", () -> cluster.threads().areBetweenSteps());
        for (final SimulatedHost host : hosts)
        {
            host.replication().close();
            Invariants.checkGivenBack(host);
            host.device().close();
        }
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long deadline = fabric.scheduler().now() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            for (int i = 0; i < 32; i++)
            {
                fabric.scheduler().runNext();
                steps++;
            }
            invariants.check();
            if (fabric.scheduler().now() > deadline)
            {
                throw new SimulationFailure("still waits that " + what + progress());
            }
        }
    }

    private String progress()
    {
        return "; published " + cluster.publications().stream().map(publication ->
            publication.messages().count() + " up to " + publication.end()).toList() + ", consumed " +
            cluster.subscribersHosts().stream().flatMap(host -> host.subscribers().stream())
                .map(SimulatedSubscriber::consumed).toList();
    }

    /** {@return the last events} */
    public List<String> trace()
    {
        return trace.lines();
    }

    /** {@return events run} */
    public long steps()
    {
        return steps;
    }

    /** {@return virtual nanoseconds that have passed} */
    public long virtualTime()
    {
        return fabric.scheduler().now();
    }
}
