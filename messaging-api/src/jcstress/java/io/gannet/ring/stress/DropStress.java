package io.gannet.ring.stress;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
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
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** A gate is removed only while its reader is not in a poll, and no later poll reads. */
@JCStressTest
@Outcome(id = {"false, 77", "true, 77"}, expect = Expect.ACCEPTABLE, desc = "read before")
@Outcome(id = {"true, 0", "false, 0"}, expect = Expect.ACCEPTABLE, desc = "dropped before, or about to be")
@Outcome(expect = Expect.FORBIDDEN, desc = "overwritten while it was read")
@State
public class DropStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, true);
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(8));

    static
    {
        MESSAGE.putLong(0, 77);
    }

    private final Ring ring;
    private final Ring reading;
    private final Membership membership;
    private final RingReader reader;
    private final int entry;

    /** A ring with one message. */
    public DropStress()
    {
        ring = RINGS.fresh(256);
        membership = new Membership(ring);
        entry = membership.join(GatingList.Kind.LOCAL, 1, 1);
        new ExclusiveProducer(ring, (bell, waiters) -> { }).offer(MESSAGE, 0, 8);
        reading = StressRing.fencing(ring);
        reader = new RingReader(reading, entry, false);
    }

    /** Polls once. */
    @Actor
    public void poll(final ZJ_Result result)
    {
        reader.poll((buffer, offset, length, position) -> result.r2 = buffer.getLong(offset), 10);
        StressRing.finish(reading);
    }

    /** Drops, and overwrites as a producer may then. */
    @Actor
    public void drop(final ZJ_Result result)
    {
        membership.requestDrop(entry);
        result.r1 = membership.tryDrop(entry);
        if (result.r1)
        {
            ring.memory().putLong(ring.addressOf(16), 13);
        }
    }
}
