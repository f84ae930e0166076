package io.gannet.ring.stress;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.Membership;
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
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Reader's position: who acquires it may overwrite what the reader has read, and the reader never sees that. */
@JCStressTest
@Outcome(id = "0, 77", expect = Expect.ACCEPTABLE, desc = "not consumed yet")
@Outcome(id = "32, 77", expect = Expect.ACCEPTABLE, desc = "consumed, then overwritten")
@Outcome(expect = Expect.FORBIDDEN, desc = "overwritten while it was read")
@State
public class ReaderPositionStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(8));

    static
    {
        MESSAGE.putLong(0, 77);
    }

    private final Ring ring;
    private final GatingMinimum gating;
    private final RingReader reader;

    /** A ring with one message. */
    public ReaderPositionStress()
    {
        ring = RINGS.fresh(256);
        final int entry = new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        new ExclusiveProducer(ring, (bell, waiters) -> { }).offer(MESSAGE, 0, 8);
        gating = new GatingMinimum(ring);
        reader = new RingReader(ring, entry, false);
    }

    /** Reads and releases. */
    @Actor
    public void poll(final JJ_Result result)
    {
        reader.poll((buffer, offset, length, position) -> result.r2 = buffer.getLong(offset), 10);
    }

    /** Overwrites what has been read, as a producer a lap later. */
    @Actor
    public void overwrite(final JJ_Result result)
    {
        result.r1 = gating.refresh(32);
        if (result.r1 == 32)
        {
            ring.memory().putLong(ring.addressOf(16), 13);
        }
    }
}
