package io.gannet.rdma.roce.rc;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Posted receives: a NIC that counts one sees it whole. */
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
@Outcome(id = "7, 640, 32, 3", expect = Expect.ACCEPTABLE, desc = "the receive, whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "a receive that isn't there")
@State
public class ReceiveQueueStress
{
    private final ReceiveQueue queue = new ReceiveQueue(4);

    /** Posts. */
    @Actor
    public void post()
    {
        queue.add(7, 640, 32, 3);
        queue.post();
    }

    /** Looks. */
    @Actor
    public void nic(final JJJJ_Result result)
    {
        if (queue.available() == 1)
        {
            result.r1 = queue.wrId(0);
            result.r2 = queue.address(0);
            result.r3 = queue.length(0);
            result.r4 = queue.lkey(0);
        }
    }
}
