package io.gannet.driver.stream.simulation;

import java.util.List;

import io.gannet.driver.stream.RemoteSubscriber;
import io.gannet.driver.stream.StreamCounters;
import io.gannet.rdma.sim.SimCompletionChannel;

/**
 * The sender of a host, as its thread sees it.
 *
 * @param publications of the run, all of them of the first host.
 */
record SenderAgent(SimulatedHost host, List<SimulatedPublication> publications) implements AgentActor.Agent
{
    @Override
    public int doWork()
    {
        return host.send();
    }

    @Override
    public void arm()
    {
        host.sender().arm();
    }

    @Override
    public boolean disarm()
    {
        return host.sender().disarm();
    }

    @Override
    public long waitLimit()
    {
        return host.sender().waitLimit(host.now());
    }

    @Override
    public long pauseLeft()
    {
        return host.pauseLeft();
    }

    @Override
    public boolean isMissing()
    {
        return host.isRunning() && (channel().isMissed() || publications.stream().anyMatch(this::isUnsent));
    }

    /** Whether there are frames that the sender would have sent if it had looked. */
    private boolean isUnsent(final SimulatedPublication publication)
    {
        if (publication.stream() == null || !host.owns(publication) || !publication.hasRung())
        {
            return false;
        }
        for (final RemoteSubscriber subscriber : publication.stream().subscribers())
        {
            final StreamCounters counters = subscriber.counters();
            if (subscriber.isConnected() && counters.hold() == StreamCounters.Hold.NONE &&
                publication.messages().isPublished(counters.position()))
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isSignalled()
    {
        return channel().pending() > 0;
    }

    private SimCompletionChannel channel()
    {
        return host.device().channels().getFirst();
    }
}
