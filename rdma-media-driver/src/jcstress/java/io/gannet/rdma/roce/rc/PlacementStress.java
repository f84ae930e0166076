package io.gannet.rdma.roce.rc;

import java.nio.ByteBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Words of a small write: each whole, and none before those in front of it or before an earlier write. */
@JCStressTest
@Outcome(id = {"0, 0, 0", "0, 0, 3", "0, 2, 3", "1, 2, 3"}, expect = Expect.ACCEPTABLE, desc = "in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "a later word before an earlier one")
@State
public class PlacementStress
{
    private static final UnsafeBuffer PACKET = new UnsafeBuffer(ByteBuffer.allocateDirect(80));

    static
    {
        PACKET.putLong(0, 2);
        PACKET.putLong(8, 1);
        PACKET.putLong(72, 3);
    }

    private final long memory = StressMemory.take();

    /** Places 72 bytes, which are copied, then two words. */
    @Actor
    public void nic()
    {
        Region.place(PACKET, 8, 72, memory + 16);
        Region.place(PACKET, 0, 16, memory);
    }

    /** Looks from the last word to the first. */
    @Actor
    public void poll(final JJJ_Result result)
    {
        result.r1 = UnsafeApi.getLongAcquire(null, memory + 8);
        result.r2 = UnsafeApi.getLongAcquire(null, memory);
        result.r3 = UnsafeApi.getLong(memory + 16 + 64);
    }
}
