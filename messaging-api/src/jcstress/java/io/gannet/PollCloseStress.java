package io.gannet;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Poll against close: who polls sees that it is closed, or the closer sees that a poll goes on. */
@JCStressTest
@Outcome(id = {"true, false", "false, true", "false, false"}, expect = Expect.ACCEPTABLE, desc = "one sees the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "freed while it is polled")
@State
public class PollCloseStress
{
    private final PollGuard guard = new PollGuard();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Polls once, and a second time, which takes the owner's short way and is still going on at the end. */
    @Actor
    public void poll(final ZZ_Result result)
    {
        guard.exit(guard.enter());
        guard.enter();
        result.r1 = !closed.getOpaque();
    }

    /** Closes, and looks whether it may free. */
    @Actor
    public void close(final ZZ_Result result)
    {
        closed.set(true);
        HotFence.rare();
        result.r2 = guard.isIdle();
    }
}
