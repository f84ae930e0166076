package io.gannet.driver.stream.simulation;

import io.gannet.rdma.sim.SimFabric;

/**
 * What holds at every step of a run, beside what memories and subscribers check at each access.
 */
final class Invariants
{
    private final Scenario scenario;
    private final SimFabric fabric;
    private final Cluster cluster;

    Invariants(final Scenario scenario, final SimFabric fabric, final Cluster cluster)
    {
        this.scenario = scenario;
        this.fabric = fabric;
        this.cluster = cluster;
    }

    void check()
    {
        if (!fabric.violations().isEmpty())
        {
            throw new SimulationFailure(fabric.violations().getFirst());
        }
        for (final SimulatedHost host : cluster.hosts())
        {
            check(host);
        }
        if (fabric.receiverNotReady() > 0)
        {
            throw new SimulationFailure("a request found no receive: credits were not kept");
        }
        cluster.publications().forEach(SimulatedPublication::checkGates);
        cluster.threads().check();
        // Where set-ups get lost, one may outlast a short image timeout, and what comes of it is closed at once.
        final boolean mayMissOut = scenario.rough() && cluster.mayTimeOut();
        if (scenario.faults() == 0 && fabric.profile().messageLoss == 0 && !mayMissOut &&
            cluster.hosts().getFirst().errors() > 0)
        {
            throw new SimulationFailure("a connection ended though nothing was broken");
        }
    }

    private void check(final SimulatedHost host)
    {
        if (host.sawProtocolError())
        {
            throw new SimulationFailure("a driver took its peer for one that breaks the protocol");
        }
        if (host.tookAnothersError())
        {
            throw new SimulationFailure("a connection ended for an error of one that had ended before");
        }
        if (!scenario.dropsSlow() && !cluster.hasLied() && !cluster.mayTimeOut())
        {
            for (final SimulatedSubscriber subscriber : host.subscribers())
            {
                if (subscriber.lost() > 0)
                {
                    throw new SimulationFailure("a subscriber has a gap though nobody drops, and no image timed out");
                }
            }
        }
    }

    /** Fails if a host that has stopped has not given everything back. */
    static void checkGivenBack(final SimulatedHost host)
    {
        if (host.device().resources().open() != 0)
        {
            throw new SimulationFailure(host.device().name() + " leaks " + host.device().resources());
        }
    }
}
