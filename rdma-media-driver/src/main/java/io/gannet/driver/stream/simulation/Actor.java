package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;
import java.util.function.IntSupplier;

import io.gannet.rdma.sim.SimScheduler;

/**
 * A thread of a process: takes a step, waits a little, longer while there is nothing to do, and now and then loses its
 * processor.
 */
final class Actor implements Runnable
{
    private static final long LEAST_WAIT = 500;
    private static final long IDLE_WAIT = 16_000;

    private final SimScheduler scheduler;
    private final SplittableRandom random;
    private final IntSupplier step;
    private final int pauseChance;
    private final long longestPause;
    private long wait = LEAST_WAIT;
    private boolean stopped;

    /**
     * @param pauseChance  one of how many steps is followed by a loss of the processor.
     * @param longestPause of it, 0 for never.
     */
    Actor(
        final SimScheduler scheduler,
        final SplittableRandom random,
        final int pauseChance,
        final long longestPause,
        final IntSupplier step)
    {
        this.scheduler = scheduler;
        this.random = random;
        this.pauseChance = pauseChance;
        this.longestPause = longestPause;
        this.step = step;
        scheduler.after(random.nextLong(IDLE_WAIT), this);
    }

    void stop()
    {
        stopped = true;
    }

    @Override
    public void run()
    {
        if (stopped)
        {
            return;
        }
        wait = step.getAsInt() > 0 ? LEAST_WAIT : Math.min(2 * wait, IDLE_WAIT);
        long next = wait + random.nextLong(wait);
        if (longestPause > 0 && random.nextInt(pauseChance) == 0)
        {
            next += random.nextLong(longestPause);
        }
        scheduler.after(next, this);
    }
}
