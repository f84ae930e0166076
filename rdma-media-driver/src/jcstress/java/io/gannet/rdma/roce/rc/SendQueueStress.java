package io.gannet.rdma.roce.rc;

import io.gannet.rdma.SendFlags;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJJ_Result;

/** Doorbell: a NIC that sees a request sees it whole. */
@JCStressTest
@Outcome(id = "0, 0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
@Outcome(id = "7, 640, 32, 9, 1", expect = Expect.ACCEPTABLE, desc = "the request, whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "a request that isn't there")
@State
public class SendQueueStress
{
    private final SendQueue queue = new SendQueue(4, 0, 1 << 20, 0);

    /** Posts. */
    @Actor
    public void post()
    {
        queue.addWriteWithImm(7, SendFlags.SIGNALED, 640, 32, 1, 0, 0, 9);
        queue.ringDoorbell();
    }

    /** Looks. */
    @Actor
    public void nic(final JJJJJ_Result result)
    {
        if (queue.published() == 1)
        {
            result.r1 = queue.wrId(0);
            result.r2 = queue.localAddress(0);
            result.r3 = queue.length(0);
            result.r4 = queue.imm(0);
            result.r5 = queue.isSignaled(0) && queue.kind(0) == SendQueue.WRITE_WITH_IMM ? 1 : 0;
        }
    }
}
