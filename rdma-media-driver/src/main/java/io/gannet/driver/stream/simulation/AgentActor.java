package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

import io.gannet.driver.stream.HybridWait;
import io.gannet.rdma.sim.SimScheduler;

/**
 * The thread of a driver's agent: duty cycles, and between them whatever {@link HybridWait} does. A wait ends when
 * something armed has come, or at the time that the agent gave. Time passes between a duty cycle and what follows it.
 */
final class AgentActor implements Runnable, HybridWait.Wakes
{
    private static final long LEAST_WAIT = 500;
    private static final long LONGEST_WAKE = 4_000;
    private static final long LONGEST_SLEEP = 100_000_000;

    private final SimScheduler scheduler;
    private final SplittableRandom random;
    private final Agent agent;
    private final Interleaving.Step cycle;
    private final Interleaving.Step decision;
    private final LongSupplier pause;
    private final HybridWait wait;
    private boolean rung;
    private boolean sleeping;
    private boolean decides;
    private boolean waits;
    private boolean stopped;
    private int work;
    private int turn;
    private long next;

    /**
     * What it runs.
     */
    interface Agent
    {
        int doWork();

        void arm();

        boolean disarm();

        long waitLimit();

        /** {@return nanoseconds for which its process stands still} */
        long pauseLeft();

        /** {@return whether something has come that neither woke the agent nor will} */
        boolean isMissing();

        /** {@return whether an event waits that ends a wait} */
        boolean isSignalled();
    }

    /**
     * @param pauses duty cycles without work before it arms.
     * @param pause  nanoseconds for which it loses its processor after a step, mostly 0.
     */
    AgentActor(
        final SimScheduler scheduler,
        final SplittableRandom random,
        final Interleaving interleaving,
        final Agent agent,
        final int pauses,
        final LongSupplier pause)
    {
        this.scheduler = scheduler;
        this.random = random;
        this.agent = agent;
        this.pause = pause;
        wait = new HybridWait(this, pauses);
        cycle = interleaving.step(() ->
        {
            wait.beforeCycle();
            return agent.doWork();
        });
        decision = interleaving.step(() ->
        {
            wait.afterCycle(work);
            return 0;
        });
        schedule(random.nextLong(16_000));
    }

    /** Ends the thread when its step has ended. */
    void stop()
    {
        stopped = true;
    }

    /** {@return whether its process lives, and its step was left in the middle} */
    boolean isLeft()
    {
        return (cycle.isLeft() || decision.isLeft()) && agent.pauseLeft() != Long.MAX_VALUE;
    }

    private void schedule(final long delay)
    {
        final int number = ++turn;
        scheduler.after(delay, () ->
        {
            if (number == turn)
            {
                run();
            }
        });
    }

    @Override
    public void run()
    {
        final Interleaving.Step step = decides ? decision : cycle;
        if (stopped && !step.isLeft())
        {
            return;
        }
        final long pauseLeft = agent.pauseLeft();
        if (pauseLeft > 0)
        {
            schedule(Math.min(pauseLeft, LONGEST_SLEEP));
            return;
        }
        sleeping = false;
        if (!step.isLeft())
        {
            next = LEAST_WAIT;
        }
        if (!step.run())
        {
            schedule(step.delay());
            return;
        }
        if (waits)
        {
            waits = false;
            sleep();
        }
        else if (!decides)
        {
            work = step.result();
        }
        decides = !decides;
        schedule(next + random.nextLong(LEAST_WAIT) + pause.getAsLong());
    }

    /** Somebody rings its bell. */
    void ring()
    {
        rung = true;
        wake();
    }

    /** A completion channel of its host has an event, perhaps its own. */
    void onSignal()
    {
        if (agent.isSignalled())
        {
            wake();
        }
    }

    private void wake()
    {
        if (sleeping)
        {
            sleeping = false;
            schedule(1 + random.nextLong(LONGEST_WAKE));
        }
    }

    /** Fails if it sleeps though there is something that nothing will wake it for. */
    void check()
    {
        if (sleeping && agent.isMissing())
        {
            throw new SimulationFailure("an agent sleeps, and a wake-up is lost");
        }
    }

    @Override
    public void pause()
    {
        next += random.nextLong(LEAST_WAIT);
    }

    @Override
    public void arm()
    {
        agent.arm();
    }

    @Override
    public void await()
    {
        waits = true;       // the last thing that a decision does
    }

    private void sleep()
    {
        if (rung || agent.isSignalled())
        {
            return;
        }
        final long limit = agent.waitLimit();
        if (limit > 0)
        {
            sleeping = true;
            next = Math.min(limit, LONGEST_SLEEP);
            check();
        }
    }

    @Override
    public boolean disarm()
    {
        final boolean announced = agent.disarm();
        final boolean came = announced || rung;
        rung = false;
        return came;
    }
}
