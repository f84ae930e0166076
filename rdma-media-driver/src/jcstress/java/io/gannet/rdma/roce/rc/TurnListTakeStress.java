package io.gannet.rdma.roce.rc;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A user tells of two, of one twice, while the owner takes them: each takes turns, once. */
@JCStressTest
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "both take turns")
@Outcome(expect = Expect.FORBIDDEN, desc = "one is lost, or there twice")
@State
public class TurnListTakeStress
{
    private final TurnList list = new TurnList();
    private final Busy one = new Busy();
    private final Busy two = new Busy();

    private static final class Busy extends TurnList.Member
    {
        @Override
        protected boolean isSettled()
        {
            return false;
        }
    }

    /** Takes whoever was told of. */
    @Actor
    public void nic()
    {
        list.takeTold();
        list.turned();
    }

    /** Tells of both, and of one again. */
    @Actor
    public void user()
    {
        list.tell(one);
        list.tell(two);
        list.tell(one);
    }

    /** How many take turns, and whether they differ. */
    @Arbiter
    public void after(final II_Result result)
    {
        list.takeTold();
        result.r1 = list.size();
        result.r2 = result.r1 == 2 && !list.get(0).equals(list.get(1)) ? 1 : 0;
    }
}
