package io.gannet.ring.model;

import io.gannet.ring.model.ModelRun.Failure;
import io.gannet.ring.model.ModelRun.WorldMaker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The shipped ring on a weak memory, preempted and killed between any two accesses, against a plain-Java model.
 * {@code -Dgannet.seeds=N} runs N seeds per kind of ring, {@code -Dgannet.seed=S} replays one and prints its last
 * steps.
 */
class RingModelTest
{
    private static final int SEEDS = Integer.getInteger("gannet.seeds", 1_500);
    private static final Long REPLAYED = Long.getLong("gannet.seed");
    private static final int STEPS_SHOWN = 400;

    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void readersOfAnExclusiveRingSeeWhatWasCommitted()
    {
        everySeed("exclusive", ExclusiveWorld::new);
    }

    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void readersOfAConcurrentRingSeeWhatWasCommittedWhoeverDies()
    {
        everySeed("concurrent", ConcurrentWorld::new);
    }

    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void readersOfAnImageSeeWhatHasArrived()
    {
        everySeed("image", ImageWorld::new);
    }

    private static void everySeed(final String name, final WorldMaker maker)
    {
        final long first = REPLAYED == null ? 0 : REPLAYED;
        final long end = REPLAYED == null ? SEEDS : REPLAYED + 1;
        for (long seed = first; seed < end; seed++)
        {
            final Failure failure = ModelRun.run(maker, seed, Weakening.NONE, false);
            if (failure != null)
            {
                final Failure replay = ModelRun.run(maker, seed, Weakening.NONE, true);
                throw new AssertionError("seed " + seed + " of the " + name + " ring: " + failure.what() +
                    "\nreplay: -Dtest=RingModelTest -Dgannet.seed=" + seed + "\nlast steps:\n" +
                    (replay == null ? "none, the replay did not fail" : replay.lastSteps(STEPS_SHOWN)),
                    failure.cause());
            }
        }
        System.out.println("ring model: " + name + ", seeds " + first + " to " + (end - 1) + " passed");
    }
}
