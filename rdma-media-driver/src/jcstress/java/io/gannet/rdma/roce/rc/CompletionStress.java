package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import java.nio.ByteBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Completion: who polls it sees it whole, and the bytes that were placed before it. */
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
@Outcome(id = "1, 128, 5, 77", expect = Expect.ACCEPTABLE, desc = "the completion and its bytes")
@Outcome(expect = Expect.FORBIDDEN, desc = "a completion before its bytes, or not whole")
@State
public class CompletionStress
{
    private static final UnsafeBuffer PACKET = new UnsafeBuffer(ByteBuffer.allocateDirect(128));

    static
    {
        PACKET.putLong(120, 77);
    }

    private final ReceiveQueue queue = new ReceiveQueue(4);
    private final CompletionRing ring = new CompletionRing(4);
    private final long memory = StressMemory.take();

    /** One receive. */
    public CompletionStress()
    {
        queue.add(1, 0, 0, 0);
        queue.post();
    }

    /** Places a packet and completes. */
    @Actor
    public void nic()
    {
        Region.place(PACKET, 0, 128, memory);
        ring.addReceive(queue, 0, 1, WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM, 128, 5, 0);
        queue.consume();
    }

    /** Polls. */
    @Actor
    public void poll(final JJJJ_Result result)
    {
        final WorkCompletions completions = StressMemory.completions();
        if (ring.poll(completions) == 1)
        {
            result.r1 = completions.wrId(0);
            result.r2 = completions.byteLength(0);
            result.r3 = completions.imm(0);
            result.r4 = UnsafeApi.getLong(memory + 120);
        }
    }
}
