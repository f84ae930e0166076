package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An entry of a full completion queue is filled again only after it was polled. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "overrun: the poll comes too late")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "added behind the poll")
@Outcome(expect = Expect.FORBIDDEN, desc = "the poll brings what was added into an entry that it still read")
@State
public class CompletionSlotStress
{
    private final SendQueue queue = new SendQueue(2, 0, 1 << 20, 0);
    private final CompletionRing ring = new CompletionRing(1);

    /** A full completion queue. */
    public CompletionSlotStress()
    {
        queue.addWrite(1, 0, 0, 8, 0, 0, 0);
        queue.addWrite(2, 0, 0, 8, 0, 0, 0);
        queue.ringDoorbell();
        ring.addSend(queue, 0, 1, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, 8);
    }

    /** Adds one more. */
    @Actor
    public void nic(final II_Result result)
    {
        result.r2 = ring.addSend(queue, 1, 1, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, 8) ? 1 : 0;
    }

    /** Polls. */
    @Actor
    public void poll(final II_Result result)
    {
        final WorkCompletions completions = StressMemory.completions();
        result.r1 = ring.poll(completions) == 1 ? (int) completions.wrId(0) : -1;
    }
}
