package io.gannet.driver.stream.simulation;

import io.gannet.rdma.sim.SimCompletionChannel;

/**
 * The receiver of a host, as its thread sees it.
 */
record ReceiverAgent(SimulatedHost host) implements AgentActor.Agent
{
    @Override
    public int doWork()
    {
        return host.receive();
    }

    @Override
    public void arm()
    {
        host.receiver().arm();
    }

    @Override
    public boolean disarm()
    {
        return host.receiver().disarm();
    }

    @Override
    public long waitLimit()
    {
        return host.receiver().waitLimit(host.now());
    }

    @Override
    public long pauseLeft()
    {
        return host.pauseLeft();
    }

    @Override
    public boolean isMissing()
    {
        return host.isRunning() && channel().isMissed();
    }

    @Override
    public boolean isSignalled()
    {
        return channel().pending() > 0;
    }

    private SimCompletionChannel channel()
    {
        return host.device().channels().get(1);
    }
}
