package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/**
 * Lets the steps of a run's threads be left between any two accesses to ring memory, so that other threads, NICs and
 * faults get in between. Accesses are still seen in program order: what a processor may reorder is not shown here.
 */
final class Interleaving
{
    private static final long SHORTEST = 20;
    private static final int LONG_CHANCE = 64;
    private static final long LONGEST = 60_000;
    private static final int LOG_LONGEST_RUN = 6;

    private final SplittableRandom random;
    private final boolean enabled;
    private final int longestRun;
    private Step running;
    private int left;

    /**
     * @param enabled whether steps are left at all.
     */
    Interleaving(final SplittableRandom random, final boolean enabled)
    {
        this.random = random;
        this.enabled = enabled;
        longestRun = 1 << random.nextInt(LOG_LONGEST_RUN);
    }

    /** An access to ring memory comes next. */
    void point()
    {
        if (running != null && --left <= 0)
        {
            Coroutine.leave();
        }
    }

    /** Does something at once, also within a step. */
    void atomically(final Runnable action)
    {
        final Step step = running;
        running = null;
        action.run();
        running = step;
    }

    /** {@return a step that may be left} */
    Step step(final IntSupplier body)
    {
        return new Step(body);
    }

    /**
     * One thread's step, again and again.
     */
    final class Step
    {
        private final IntSupplier body;
        private Coroutine coroutine;
        private int result;

        private Step(final IntSupplier body)
        {
            this.body = body;
        }

        /**
         * Begins the step, or goes on with it.
         *
         * @return whether it has ended.
         */
        boolean run()
        {
            if (!enabled)
            {
                result = body.getAsInt();
                return true;
            }
            if (coroutine == null)
            {
                coroutine = new Coroutine(() -> result = body.getAsInt());
            }
            running = this;
            left = 1 + random.nextInt(longestRun);
            try
            {
                coroutine.resume();
            }
            finally
            {
                running = null;
            }
            if (coroutine.isDone())
            {
                coroutine = null;
                return true;
            }
            return false;
        }

        /** {@return what the step that has ended has done} */
        int result()
        {
            return result;
        }

        /** {@return whether it was left in the middle} */
        boolean isLeft()
        {
            return coroutine != null;
        }

        /** {@return nanoseconds until a step that was left goes on} */
        long delay()
        {
            return 1 + random.nextLong(random.nextInt(LONG_CHANCE) == 0 ? LONGEST : SHORTEST);
        }
    }
}
