package io.gannet.ring.model;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs actors one step at a time in an order drawn from a seed. A step ends at each access to shared memory, so an
 * actor can be overtaken, paused for long, or stopped for ever between any two accesses.
 */
final class Scheduler
{
    private static final int LONGEST_PAUSE_STEPS = 4_000;

    private final List<Actor> actors = new ArrayList<>();
    private final SplittableRandom random;
    private final int switchMask;
    private final int pauseMask;
    private final long maxSteps;
    private final StringBuilder trace;
    private Actor current;
    private long step;

    Scheduler(final long seed, final long maxSteps, final boolean traced)
    {
        this.random = new SplittableRandom(seed);
        this.maxSteps = maxSteps;
        this.trace = traced ? new StringBuilder() : null;
        switchMask = (1 << random.nextInt(6)) - 1;
        pauseMask = (1 << (8 + random.nextInt(5))) - 1;
    }

    SplittableRandom random()
    {
        return random;
    }

    /** Number of steps made so far: the only clock of a run. */
    long step()
    {
        return step;
    }

    Actor current()
    {
        return current;
    }

    List<Actor> actors()
    {
        return actors;
    }

    Actor add(final String name, final Runnable body)
    {
        final Actor actor = new Actor(actors.size(), name, body);
        actors.add(actor);
        return actor;
    }

    /** Runs until every actor has ended or died. */
    void run()
    {
        while (true)
        {
            final Actor next = choose();
            if (next == null)
            {
                return;
            }
            current = next;
            next.coroutine.resume();
            current = null;
            if (step > maxSteps)
            {
                throw new AssertionError("no end after " + maxSteps + " steps");
            }
        }
    }

    /** The running actor is about to touch shared memory. */
    void beforeAccess()
    {
        final Actor actor = current;
        if (actor == null)
        {
            return;
        }
        step++;
        if (step >= actor.dieAtStep || actor.accessesLeft-- == 0)
        {
            actor.dead = true;
            note("dies");
            Coroutine.leave();
            throw new IllegalStateException("a dead actor was resumed");
        }
        final int dice = random.nextInt();
        if ((dice & pauseMask) == 0)
        {
            actor.pausedUntilStep = step + 1 + random.nextInt(LONGEST_PAUSE_STEPS);
            note("pauses");
            Coroutine.leave();
        }
        else if ((dice >>> 16 & switchMask) == 0)
        {
            Coroutine.leave();
        }
    }

    /** The running actor has nothing to do until another one moved. */
    void idle()
    {
        step++;
        if (step >= current.dieAtStep)
        {
            beforeAccess();
        }
        Coroutine.leave();
    }

    void note(final String what)
    {
        if (trace != null)
        {
            trace.append(step).append(' ').append(current == null ? "-" : current.name).append(": ").append(what)
                .append('\n');
        }
    }

    boolean traced()
    {
        return trace != null;
    }

    String trace()
    {
        return trace == null ? "" : trace.toString();
    }

    private Actor choose()
    {
        int runnable = 0;
        Actor earliest = null;
        for (int i = 0; i < actors.size(); i++)
        {
            final Actor actor = actors.get(i);
            if (actor.isOver())
            {
                continue;
            }
            if (actor.pausedUntilStep <= step)
            {
                runnable++;
            }
            else if (earliest == null || actor.pausedUntilStep < earliest.pausedUntilStep)
            {
                earliest = actor;
            }
        }
        if (runnable == 0)
        {
            return earliest;
        }
        int pick = random.nextInt(runnable);
        for (int i = 0; i < actors.size(); i++)
        {
            final Actor actor = actors.get(i);
            if (!actor.isOver() && actor.pausedUntilStep <= step && pick-- == 0)
            {
                return actor;
            }
        }
        throw new IllegalStateException("no actor");
    }

    /** One thread of a process that may die. */
    static final class Actor
    {
        final int id;
        final String name;
        private final Coroutine coroutine;
        private long dieAtStep = Long.MAX_VALUE;
        private long accessesLeft = -1;
        private long pausedUntilStep;
        private boolean dead;

        private Actor(final int id, final String name, final Runnable body)
        {
            this.id = id;
            this.name = name;
            this.coroutine = new Coroutine(body);
        }

        /** Stops for ever at the first access at or after {@code step}. */
        void dieAt(final long step)
        {
            dieAtStep = step;
        }

        /** Stops for ever after {@code accesses} more of its own. */
        void dieAfter(final int accesses)
        {
            accessesLeft = accesses;
        }

        boolean isDead()
        {
            return dead;
        }

        boolean isOver()
        {
            return dead || coroutine.isDone();
        }
    }
}
