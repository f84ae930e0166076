package io.gannet.ring.stress;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Closed flag: an offer says CLOSED from some time on, and the closer hears of it. */
@JCStressTest
@Outcome(id = {"false, false, false", "false, true, false", "false, true, true",
    "true, true, false", "true, true, true"}, expect = Expect.ACCEPTABLE,
    desc = "open, then closed for good")
@Outcome(expect = Expect.FORBIDDEN, desc = "open again, or acknowledged before it was seen")
@State
public class CloseStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(8));

    private final Ring ring;
    private final ExclusiveProducer producer;

    /** A ring with a reader. */
    public CloseStress()
    {
        ring = RINGS.fresh(256);
        new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        producer = new ExclusiveProducer(ring, (bell, waiters) -> { });
    }

    /** Offers twice. */
    @Actor
    public void send(final ZZZ_Result result)
    {
        result.r1 = producer.offer(MESSAGE, 0, 8) == Ring.CLOSED;
        result.r2 = producer.offer(MESSAGE, 0, 8) == Ring.CLOSED;
    }

    /** Closes. */
    @Actor
    public void close(final ZZZ_Result result)
    {
        ring.close();
        result.r3 = ring.isAcknowledged();
    }
}
