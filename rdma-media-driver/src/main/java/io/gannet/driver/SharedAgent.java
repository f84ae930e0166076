package io.gannet.driver;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.CompositeAgent;

/**
 * All agents of a driver on one thread. Senders come first, whose posts the device takes at once, then receivers. The
 * conductor comes last, and not in every cycle: it is in no message's way, and looks at clocks and files that change
 * much more slowly. Whoever is about to wait asks for a cycle of {@linkplain #wholeCycle all of them}.
 */
final class SharedAgent implements Agent
{
    private final CompositeAgent all;
    private final Agent[] conductors;
    private final Agent[] movers;
    private final int interval;
    private int cycles;

    /**
     * Agents are started and closed in the order of these lists.
     *
     * @param interval cycles of senders and receivers of which one has the conductor's turn too.
     */
    SharedAgent(
        final List<Agent> conductors, final List<Agent> senders, final List<Agent> receivers, final int interval)
    {
        final List<Agent> moving = new ArrayList<>(senders);
        moving.addAll(receivers);
        movers = moving.toArray(Agent[]::new);
        this.conductors = conductors.toArray(Agent[]::new);
        this.interval = interval;
        final List<Agent> agents = new ArrayList<>(conductors);
        agents.addAll(moving);
        all = new CompositeAgent(agents);
    }

    /** The next cycle has all agents. On their thread. */
    void wholeCycle()
    {
        cycles = interval;
    }

    @Override
    public void onStart()
    {
        all.onStart();
    }

    @Override
    public int doWork() throws Exception
    {
        int work = 0;
        for (final Agent mover : movers)
        {
            work += mover.doWork();
        }
        if (++cycles >= interval)
        {
            cycles = 0;
            for (final Agent conductor : conductors)
            {
                work += conductor.doWork();
            }
        }
        return work;
    }

    @Override
    public void onClose()
    {
        all.onClose();
    }

    @Override
    public String roleName()
    {
        return all.roleName();
    }
}
