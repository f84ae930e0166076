package io.gannet.ring.stress;

import io.gannet.ring.FrameHeader;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;
import io.gannet.ring.RingReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** Received position of an image: all below has arrived, whatever order it arrived in. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
@Outcome(id = "1, 77", expect = Expect.ACCEPTABLE, desc = "the message, whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message that has not arrived")
@State
public class ReceivedPositionStress
{
    private static final StressRing RINGS = new StressRing(RingKind.IMAGE, false);

    private final Ring receiving;
    private final RingReader reader;

    /** An empty image with one reader. */
    public ReceivedPositionStress()
    {
        final Ring ring = RINGS.fresh(256);
        final int entry = new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        final long received = ring.headerAddress() + RingLayout.RECEIVED_OFFSET;
        receiving = StressRing.storing(ring, received);
        reader = new RingReader(StressRing.loading(ring, received, ring.addressOf(0), 32), entry, false);
    }

    /** The NIC places a frame, length first, and the driver releases the position. */
    @Actor
    public void receive()
    {
        final RingMemory memory = receiving.memory();
        final long frame = receiving.addressOf(0);
        memory.putInt(frame, FrameHeader.HEADER_LENGTH + 8);
        memory.putInt(frame + FrameHeader.KIND_OFFSET, FrameHeader.KIND_DATA);
        memory.putLong(frame + FrameHeader.HEADER_LENGTH, 77);
        memory.putLongRelease(receiving.headerAddress() + RingLayout.RECEIVED_OFFSET, 32);
        StressRing.finish(receiving);
    }

    /** Polls once. */
    @Actor
    public void poll(final IJ_Result result)
    {
        try
        {
            result.r1 = reader.poll(
                (buffer, offset, length, position) ->
                    result.r2 += reader.ring().memory().getLong(buffer.addressOffset() + offset),
                10);
        }
        catch (final RuntimeException ex)
        {
            result.r1 = -1;
        }
    }
}
