package io.gannet.samples.orderflow.link;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Ends an agent at its first failure, instead of going on from an unknown state.
 */
public record FailStop(Agent agent) implements Agent
{
    @Override
    public void onStart()
    {
        agent.onStart();
    }

    @Override
    public int doWork()
    {
        try
        {
            return agent.doWork();
        }
        catch (final AgentTerminationException end)
        {
            throw end;
        }
        catch (final Exception failure)
        {
            throw new AgentTerminationException(failure);
        }
    }

    @Override
    public void onClose()
    {
        agent.onClose();
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }
}
