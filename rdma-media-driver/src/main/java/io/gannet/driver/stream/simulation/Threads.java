package io.gannet.driver.stream.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import io.gannet.rdma.sim.SimScheduler;

/**
 * The threads of all simulated processes.
 */
final class Threads
{
    private static final int PAUSE_CHANCE = 4_096;
    private static final int SLOW_PAUSE_CHANCE = 32;
    private static final long LONGEST_SLOW_PAUSE = 4_000_000;

    private final SimScheduler scheduler;
    private final SplittableRandom random;
    private final Interleaving interleaving;
    private final List<Actor> actors = new ArrayList<>();
    private final List<AgentActor> agents = new ArrayList<>();

    Threads(final SimScheduler scheduler, final SplittableRandom random, final Interleaving interleaving)
    {
        this.scheduler = scheduler;
        this.random = random;
        this.interleaving = interleaving;
    }

    /**
     * Starts a thread.
     *
     * @param longestPause for which it loses its processor now and then; 0 for never.
     * @param pauseLeft    nanoseconds for which its process stands still.
     */
    void start(final long longestPause, final LongSupplier pauseLeft, final IntSupplier step)
    {
        start(PAUSE_CHANCE, longestPause, pauseLeft, step);
    }

    /** Starts a thread that takes long pauses. */
    void startSlow(final LongSupplier pauseLeft, final IntSupplier step)
    {
        start(SLOW_PAUSE_CHANCE, LONGEST_SLOW_PAUSE, pauseLeft, step);
    }

    private void start(
        final int pauseChance, final long longestPause, final LongSupplier pauseLeft, final IntSupplier step)
    {
        actors.add(new Actor(
            scheduler, random.split(), pauseChance, longestPause, interleaving.step(step), pauseLeft));
    }

    /** Starts the thread of an agent that waits when it has been idle. */
    AgentActor start(final AgentActor.Agent agent, final long longestPause)
    {
        return start(agent, random.nextInt(8), longestPause);
    }

    /** Starts the thread of an agent that waits after so many idle cycles, or never. */
    AgentActor start(final AgentActor.Agent agent, final int cycles, final long longestPause)
    {
        final SplittableRandom own = random.split();
        final AgentActor actor = new AgentActor(scheduler, random.split(), interleaving, agent, cycles, () ->
            longestPause > 0 && own.nextInt(PAUSE_CHANCE) == 0 ? own.nextLong(longestPause) : 0);
        agents.add(actor);
        return actor;
    }

    /** Fails if a thread sleeps that nothing will wake. */
    void check()
    {
        agents.forEach(AgentActor::check);
    }

    /** Lets every thread end with its step. */
    void stop()
    {
        actors.forEach(Actor::stop);
        agents.forEach(AgentActor::stop);
    }

    /** {@return whether no thread of a living process is in the middle of a step} */
    boolean areBetweenSteps()
    {
        return actors.stream().noneMatch(Actor::isLeft) && agents.stream().noneMatch(AgentActor::isLeft);
    }
}
