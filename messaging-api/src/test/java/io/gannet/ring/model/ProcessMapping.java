package io.gannet.ring.model;

/**
 * A process's mapping of a ring: when its pages are replaced by zeroes, and when its addresses are freed. Freeing must
 * come after every access of the process's actors, by order and not by luck; an access after it fails the run.
 */
final class ProcessMapping
{
    private final Scheduler scheduler;
    private final WeakMemory memory;
    private final String[] actors;
    private final int[] lastAccess;
    private int[] zeroed;
    private boolean freed;

    ProcessMapping(final Scheduler scheduler, final WeakMemory memory, final String... actors)
    {
        this.scheduler = scheduler;
        this.memory = memory;
        this.actors = actors;
        lastAccess = new int[World.MAX_ACTORS];
    }

    boolean isAway()
    {
        final Scheduler.Actor actor = scheduler.current();
        if (actor == null || !isOfProcess(actor.name))
        {
            return false;
        }
        scheduler.beforeAccess();
        if (freed)
        {
            throw new AssertionError(actor.name + " uses a ring whose addresses were freed");
        }
        lastAccess[actor.id] = memory.clock();
        if (zeroed == null)
        {
            return false;
        }
        // The kernel put the zeroes there after what the closing thread did before.
        memory.takeOver(zeroed);
        return true;
    }

    private boolean isOfProcess(final String name)
    {
        for (final String actor : actors)
        {
            if (name.startsWith(actor))
            {
                return true;
            }
        }
        return false;
    }

    void replaceByZeroes()
    {
        scheduler.beforeAccess();
        zeroed = memory.handOver();
        scheduler.note("zeroes in place of the ring");
    }

    void free()
    {
        scheduler.beforeAccess();
        for (final Scheduler.Actor actor : scheduler.actors())
        {
            if (isOfProcess(actor.name) && !memory.hasHappened(actor.id, lastAccess[actor.id]))
            {
                throw new AssertionError(
                    scheduler.current().name + " frees the ring, and nothing orders that after the last access of " +
                    actor.name);
            }
        }
        freed = true;
        scheduler.note("ring freed");
    }
}
