package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

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
    private final Interleaving.Step step;
    private final LongSupplier pauseLeft;
    private final int pauseChance;
    private final long longestPause;
    private long wait = LEAST_WAIT;
    private boolean stopped;

    /**
     * @param pauseChance  one of how many steps is followed by a loss of the processor.
     * @param longestPause of it, 0 for never.
     * @param step         of the thread; does nothing while its process stands still.
     * @param pauseLeft    nanoseconds for which its process stands still, {@link Long#MAX_VALUE} if it is gone.
     */
    Actor(
        final SimScheduler scheduler,
        final SplittableRandom random,
        final int pauseChance,
        final long longestPause,
        final Interleaving.Step step,
        final LongSupplier pauseLeft)
    {
        this.scheduler = scheduler;
        this.random = random;
        this.pauseChance = pauseChance;
        this.longestPause = longestPause;
        this.step = step;
        this.pauseLeft = pauseLeft;
        scheduler.after(random.nextLong(IDLE_WAIT), this);
    }

    /** Ends the thread when its step has ended. */
    void stop()
    {
        stopped = true;
    }

    /** {@return whether its process lives, and its step was left in the middle} */
    boolean isLeft()
    {
        return step.isLeft() && pauseLeft.getAsLong() != Long.MAX_VALUE;
    }

    @Override
    public void run()
    {
        if (step.isLeft())
        {
            final long pause = pauseLeft.getAsLong();
            if (pause > 0)
            {
                again(pause);
                return;
            }
        }
        else if (stopped)
        {
            return;
        }
        if (!step.run())
        {
            scheduler.after(step.delay(), this);
            return;
        }
        wait = step.result() > 0 ? LEAST_WAIT : Math.min(2 * wait, IDLE_WAIT);
        long next = wait + random.nextLong(wait);
        if (longestPause > 0 && random.nextInt(pauseChance) == 0)
        {
            next += random.nextLong(longestPause);
        }
        scheduler.after(next, this);
    }

    /** Goes on after a pause, or never if the process is gone. */
    private void again(final long pause)
    {
        if (pause != Long.MAX_VALUE)
        {
            scheduler.after(pause, this);
        }
    }
}
