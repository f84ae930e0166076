package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/** A slot of a full receive queue is written again only after its completion was polled. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "no slot is free yet")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "posted behind the poll")
@Outcome(expect = Expect.FORBIDDEN, desc = "the completion is one of a receive posted later")
@State
public class ReceiveSlotStress
{
    private final ReceiveQueue queue = new ReceiveQueue(1);
    private final CompletionRing ring = new CompletionRing(2);

    /** A full queue. */
    public ReceiveSlotStress()
    {
        queue.add(1, 0, 0, 0);
        queue.post();
    }

    /** NIC and poller in one, as jcstress runs no more actors than there are processors: reads the slot, polls. */
    @Actor
    public void poll(final JI_Result result)
    {
        final WorkCompletions completions = StressMemory.completions();
        ring.addReceive(queue, 0, 1, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, 0);
        queue.consume();
        result.r1 = ring.poll(completions) == 1 ? completions.wrId(0) : 1;
    }

    /** Posts again. */
    @Actor
    public void post(final JI_Result result)
    {
        queue.add(2, 0, 0, 0);
        result.r2 = queue.post() == 0 ? 1 : 0;
    }
}
