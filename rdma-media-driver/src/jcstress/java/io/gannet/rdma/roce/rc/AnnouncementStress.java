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

/** Arming a completion queue: the poller sees a completion, or the NIC sees that it has to announce it. */
@JCStressTest
@Outcome(id = {"0, 1", "1, 0", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "found, announced, or both")
@Outcome(expect = Expect.FORBIDDEN, desc = "the poller sleeps beside a completion")
@State
public class AnnouncementStress
{
    private final ReceiveQueue queue = new ReceiveQueue(1);
    private final CompletionRing ring = new CompletionRing(1);
    private final Announcement announcement = new Announcement();

    /** One receive. */
    public AnnouncementStress()
    {
        queue.add(1, 0, 0, 0);
        queue.post();
    }

    /** Completes and announces. */
    @Actor
    public void nic(final II_Result result)
    {
        ring.addReceive(queue, 0, 1, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, 0);
        result.r1 = announcement.isDue(ring.added()) ? 1 : 0;
    }

    /** Arms and polls once more. */
    @Actor
    public void poll(final II_Result result)
    {
        final WorkCompletions completions = StressMemory.completions();
        announcement.arm();
        result.r2 = ring.poll(completions);
    }
}
