package io.gannet;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** An image is taken out while polls follow each other: once one is over, the next has seen that it is out. */
@JCStressTest
@Outcome(id = {"true, false", "false, true", "false, false"}, expect = Expect.ACCEPTABLE, desc = "one sees the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "freed while it is polled")
@State
public class PollLeaveStress
{
    private final PollGuard guard = new PollGuard();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Polls twice, as the owner at least the second time, which is still going on at the end. */
    @Actor
    public void poll(final ZZ_Result result)
    {
        guard.exit(guard.enter());
        guard.enter();
        result.r1 = !closed.getOpaque();
    }

    /** Closes, and waits for whoever was inside then. */
    @Actor
    public void close(final ZZ_Result result)
    {
        closed.set(true);
        HotFence.rare();
        final PollGuard.Stay stay = guard.stay();
        result.r2 = guard.isOver(stay);
    }
}
