package io.gannet.rdma.roce.rc;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** One is left out while its user posts: it takes turns afterwards, once. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "it takes turns")
@Outcome(expect = Expect.FORBIDDEN, desc = "what was posted is never looked at, or the list has it twice")
@State
public class TurnListStress
{
    private static final int TURNS_BEFORE = 15;

    private final TurnList list = new TurnList();
    private final Poster poster = new Poster();

    /** It has had nothing to do for all turns but one. */
    public TurnListStress()
    {
        list.add(poster);
        for (int i = 0; i < TURNS_BEFORE; i++)
        {
            list.turned();
        }
    }

    private static final class Poster extends TurnList.Member
    {
        private final AtomicInteger posted = new AtomicInteger();

        @Override
        protected boolean isSettled()
        {
            return posted.getAcquire() == 0;
        }
    }

    /** The last turn. */
    @Actor
    public void nic()
    {
        list.turned();
    }

    /** Posts and tells. */
    @Actor
    public void user()
    {
        poster.posted.setRelease(1);
        list.tell(poster);
    }

    /** The turn after. */
    @Arbiter
    public void after(final I_Result result)
    {
        list.takeTold();
        result.r1 = list.size();
    }
}
