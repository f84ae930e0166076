package io.gannet.driver;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.CompositeAgent;

/**
 * All agents of a driver on one thread. Receivers come first, as what they bring lets others go on, then senders, whose
 * posts the device takes at once. The conductor comes last, and not in every cycle while messages flow: it is behind no
 * message's way. A cycle without work always had all of them.
 */
final class SharedAgent implements Agent
{
    /** Cycles with work after which the conductor has its turn in any case; a few microseconds each. */
    private static final int LONGEST_OMISSION = 8;

    private final CompositeAgent all;
    private final Agent[] conductors;
    private final Agent[] movers;
    private int omitted;

    /** Agents are started and closed in the order of these lists, and stepped as said above. */
    SharedAgent(final List<Agent> conductors, final List<Agent> senders, final List<Agent> receivers)
    {
        final List<Agent> agents = new ArrayList<>(conductors);
        agents.addAll(senders);
        agents.addAll(receivers);
        all = new CompositeAgent(agents);
        this.conductors = conductors.toArray(Agent[]::new);
        final List<Agent> moving = new ArrayList<>(receivers);
        moving.addAll(senders);
        movers = moving.toArray(Agent[]::new);
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
        if (work == 0 || ++omitted >= LONGEST_OMISSION)
        {
            omitted = 0;
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
