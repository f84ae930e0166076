package io.gannet.ring.model;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gannet.ring.model.ModelRun.Failure;
import io.gannet.ring.model.Weakening.Access;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each release, acquire, update and fence that the ring relies on is needed: without it the model fails. Where two
 * accesses cover for each other, both are taken away.
 */
class WeakenedOrderIT
{
    private static final int SEEDS = Integer.getInteger("gannet.weakened.seeds", 8_000);

    /** Exclusive rings of a machine with and without membarrier. */
    private static final String MEMBARRIER = "exclusive, membarrier";
    private static final String HOT_FENCE = "exclusive, no membarrier";

    static Stream<Arguments> pairs()
    {
        return Stream.of(
            arguments("commit, release", "exclusive", Weakening.of(Access.STORE, Word.DATA, "producer")),
            arguments("commit, acquire by a reader", "exclusive", Weakening.of(Access.LOAD, Word.DATA, "reader")),
            arguments("commit, acquire by a joiner", "exclusive", Weakening.of(Access.LOAD, Word.DATA, "conductor")),
            arguments("coarse position, release", "exclusive", Weakening.of(Access.STORE, Word.COARSE, "producer")),
            arguments("coarse position, acquire", "exclusive", Weakening.of(Access.LOAD, Word.COARSE, "conductor")),
            arguments("reader's position, release", "exclusive",
                Weakening.of(Access.STORE, Word.ENTRY_POSITION, "reader")),
            arguments("reader's position, acquire (and the scan's fence)", "exclusive",
                Weakening.of(Access.LOAD, Word.ENTRY_POSITION, "producer").and(Access.ACQUIRE_FENCE, null, "producer")),
            arguments("fence of a refresh", MEMBARRIER, Weakening.of(Access.FENCE, null, "producer")),
            arguments("fence of a join", MEMBARRIER, Weakening.of(Access.FENCE, null, "conductor")),
            arguments("entry, release", "exclusive",
                Weakening.of(Access.STORE, Word.ENTRY_POSITION, "conductor")),
            arguments("waiters and bell, acquire by the next sleeper", "exclusive",
                Weakening.of(Access.LOAD, Word.WAITERS, "reader").and(Access.LOAD, Word.BELL, "reader")),
            arguments("bell, release by who rings (and the waiters' acquire)", "exclusive",
                Weakening.of(Access.LOAD, Word.WAITERS, "reader").and(Access.UPDATE, Word.BELL, "producer")),
            arguments("end of a poll, release", "exclusive",
                Weakening.of(Access.STORE, Word.ENTRY_POLL_STATE, "reader")),
            arguments("end of a poll, acquire", "exclusive",
                Weakening.of(Access.LOAD, Word.ENTRY_POLL_STATE, "conductor")),
            arguments("membarrier of a drop", "exclusive", Weakening.of(Access.MEMBARRIER, null, "conductor")),
            arguments("membarrier of a sleeper", "exclusive", Weakening.of(Access.MEMBARRIER, null, "reader")),
            arguments("fence of a reader or sleeper", HOT_FENCE, Weakening.of(Access.FENCE, null, "reader")),
            arguments("fence of a hot side", HOT_FENCE, Weakening.of(Access.FENCE, null, "producer")),
            arguments("received position, release", "image", Weakening.of(Access.STORE, Word.COARSE, "receiver")),
            arguments("received position, acquire", "image", Weakening.of(Access.LOAD, Word.COARSE, "reader")),
            arguments("concurrent commit (and zero-ahead), release", "concurrent",
                Weakening.of(Access.STORE, Word.DATA, "producer")),
            arguments("concurrent commit, acquire by a reader", "concurrent",
                Weakening.of(Access.LOAD, Word.DATA, "reader")),
            arguments("concurrent commit, acquire by a joiner or repair", "concurrent",
                Weakening.of(Access.LOAD, Word.DATA, "conductor")),
            arguments("concurrent reader's position, release", "concurrent",
                Weakening.of(Access.STORE, Word.ENTRY_POSITION, "reader")),
            arguments("gating version and entry, release", "concurrent",
                Weakening.of(Access.STORE, Word.ENTRY_POSITION, "conductor")
                    .and(Access.STORE, Word.GATING_VERSION, "conductor")),
            arguments("gating words before the second version", "concurrent",
                Weakening.of(Access.LOAD, Word.ENTRY_POSITION, "producer").and(Access.ACQUIRE_FENCE, null, "producer")),
            arguments("repair's commit, release", "concurrent", Weakening.of(Access.STORE, Word.DATA, "conductor")),
            arguments("claim slot, release", "concurrent", Weakening.of(Access.STORE, Word.SLOT_STATE, "producer")),
            arguments("fence between a claim's record and its bytes", "concurrent",
                Weakening.of(Access.RELEASE_FENCE, null, "producer")),
            arguments("claim slot, acquire", "concurrent", Weakening.of(Access.LOAD, Word.SLOT_STATE, "conductor")),
            arguments("CLAIMING before the tail", "concurrent",
                Weakening.of(Access.UPDATE, Word.SLOT_STATE, "producer").and(Access.UPDATE, Word.TAIL, "producer")),
            arguments("tail before the slots", "concurrent", Weakening.of(Access.LOAD, Word.TAIL, "conductor")));
    }

    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void isNeeded(final String pair, final String world, final Weakening weakening)
    {
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final World made = ModelRun.maker(world.replaceAll(",.*", "")).make(seed, weakening, false);
            if (made.hotFence ? world.equals(MEMBARRIER) : world.equals(HOT_FENCE))
            {
                continue;
            }
            final Failure failure = ModelRun.run(made, seed);
            if (failure != null)
            {
                System.out.println(pair + " | " + weakening.sites() + " | " + world + " seed " + seed + " | " +
                    failure.what());
                return;
            }
        }
        throw new AssertionError(pair + ": without " + weakening.sites() + " nothing fails in " + SEEDS + " seeds of " +
            world);
    }
}
