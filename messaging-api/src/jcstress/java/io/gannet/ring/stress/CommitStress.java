package io.gannet.ring.stress;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** Commit: a reader that sees a length sees the frame, and 0 behind it where an older lap's bytes were. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
@Outcome(id = "1, 77", expect = Expect.ACCEPTABLE, desc = "the message, whole, and no other")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message that isn't there")
@State
public class CommitStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(16).putLong(8, 0));

    static
    {
        MESSAGE.putLong(0, 77);
    }

    private final ExclusiveProducer producer;
    private final RingReader reader;

    /** An empty ring with one reader and an old length behind the first frame. */
    public CommitStress()
    {
        final Ring ring = RINGS.fresh(256);
        NativeMemory.INSTANCE.putInt(ring.addressOf(32), 24);
        final int entry = new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        final long frame = ring.addressOf(0);
        producer = new ExclusiveProducer(StressRing.storing(ring, frame), (bell, waiters) -> { });
        reader = new RingReader(StressRing.loading(ring, frame, frame + 4, 60), entry, false);
    }

    /** Sends. */
    @Actor
    public void send()
    {
        producer.offer(MESSAGE, 0, 8);
        StressRing.finish(producer.ring());
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
