package io.gannet;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Poll against poll: the thread that polled last and another one are never inside together. */
@JCStressTest
@Outcome(id = {"true, false", "false, true", "false, false"}, expect = Expect.ACCEPTABLE, desc = "one inside at most")
@Outcome(expect = Expect.FORBIDDEN, desc = "two polls at a time")
@State
public class PollTakeOverStress
{
    private final PollGuard guard = new PollGuard();

    /** Polls twice: the second time by the owner's short way, unless the other was there. */
    @Actor
    public void owner(final ZZ_Result result)
    {
        result.r1 = enters(true) && enters(false);
    }

    /** Polls once. */
    @Actor
    public void other(final ZZ_Result result)
    {
        result.r2 = enters(false);
    }

    private boolean enters(final boolean leaves)
    {
        try
        {
            final PollGuard.Owner inside = guard.enter();
            if (leaves)
            {
                guard.exit(inside);
            }
            return true;
        }
        catch (final ConcurrentPollException ex)
        {
            return false;
        }
    }
}
