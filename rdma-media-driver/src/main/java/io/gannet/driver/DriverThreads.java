package io.gannet.driver;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.CompositeAgent;

/**
 * Spreads the conductor and the services over threads, as the threading mode says.
 */
final class DriverThreads implements AutoCloseable
{
    /** Cycles of a shared thread, a microsecond each when nothing happens, of which one is the conductor's too. */
    private static final int CONDUCTOR_INTERVAL = 4;

    private final List<AgentThread> threads = new ArrayList<>();
    private final Agent invoked;

    DriverThreads(
        final DriverConfiguration configuration,
        final Agent conductor,
        final Sleeper conductorBell,
        final List<DriverService> services,
        final DriverCounters counters,
        final ErrorHandler errorHandler,
        final DriverHealth health)
    {
        final ThreadingMode mode = configuration.get(DriverOptions.THREADING);
        final List<Agent> first = new ArrayList<>(List.of(conductor));
        first.addAll(agents(services, DriverService.Role.CONDUCTOR));
        final List<Agent> sender = agents(services, DriverService.Role.SENDER);
        final List<Agent> receiver = agents(services, DriverService.Role.RECEIVER);
        final Agent main;
        if (mode == ThreadingMode.DEDICATED)
        {
            main = conducting(first);
        }
        else
        {
            main = sender.isEmpty() && receiver.isEmpty() ? conducting(first) : new SharedAgent(
                first, sender, receiver, mode == ThreadingMode.INVOKER ? 1 : CONDUCTOR_INTERVAL);
        }
        invoked = mode == ThreadingMode.INVOKER ? main : null;
        if (invoked == null)
        {
            final List<List<DriverService>> lanes = mode == ThreadingMode.DEDICATED ? lanes(services) : List.of();
            final IdlePolicy idle =
                IdlePolicy.of(configuration, 1 + lanes.size(), Runtime.getRuntime().availableProcessors());
            final long stallNanos = configuration.get(DriverOptions.STALL_THRESHOLD);
            threads.add(new AgentThread(main, conductorBell, idle,
                counters.dutyCycle(main.roleName(), stallNanos), errorHandler, health));
            for (final List<DriverService> lane : lanes)
            {
                final Agent agent = composite(lane.stream().map(DriverService::agent).toList());
                threads.add(new AgentThread(agent, sleeper(lane), idle,
                    counters.dutyCycle(agent.roleName(), stallNanos), errorHandler, health));
            }
        }
    }

    /** Senders and receivers by thread. */
    private static List<List<DriverService>> lanes(final List<DriverService> services)
    {
        final Map<DriverService.Role, Map<Integer, List<DriverService>>> lanes =
            new EnumMap<>(DriverService.Role.class);
        for (final DriverService service : services)
        {
            if (service.role() != DriverService.Role.CONDUCTOR)
            {
                lanes.computeIfAbsent(service.role(), role -> new TreeMap<>())
                    .computeIfAbsent(service.lane(), lane -> new ArrayList<>()).add(service);
            }
        }
        return lanes.values().stream().flatMap(role -> role.values().stream()).toList();
    }

    /** Whether there is no thread and the caller steps the agents. */
    boolean isInvoked()
    {
        return invoked != null;
    }

    void start()
    {
        if (isInvoked())
        {
            invoked.onStart();
        }
        threads.forEach(AgentThread::start);
    }

    int invoke() throws Exception
    {
        return invoked.doWork();
    }

    /** Ends the services' threads, then the conductor's, which takes in what they left. */
    @Override
    public void close()
    {
        for (int i = threads.size() - 1; i >= 0; i--)
        {
            threads.get(i).close();
        }
        if (isInvoked())
        {
            invoked.onClose();
        }
    }

    private static List<Agent> agents(final List<DriverService> services, final DriverService.Role role)
    {
        final List<Agent> agents = new ArrayList<>();
        for (final DriverService service : services)
        {
            if (service.role() == role)
            {
                agents.add(service.agent());
            }
        }
        return agents;
    }

    private static Sleeper sleeper(final List<DriverService> services)
    {
        for (final DriverService service : services)
        {
            if (service.sleeper() != null)
            {
                return service.sleeper();
            }
        }
        return new ThreadBell();
    }

    /** Named after the conductor alone: its thread and counters are called so everywhere. */
    private static Agent conducting(final List<Agent> agents)
    {
        return agents.size() == 1 ? agents.getFirst() : new CompositeAgent(agents)
        {
            @Override
            public String roleName()
            {
                return agents.getFirst().roleName();
            }
        };
    }

    private static Agent composite(final List<Agent> agents)
    {
        return agents.size() == 1 ? agents.getFirst() : new CompositeAgent(agents);
    }
}
