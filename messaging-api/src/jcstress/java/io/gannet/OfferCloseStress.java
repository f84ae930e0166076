package io.gannet;

import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.stress.StressRing;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** Offer against close of an exclusive publication: nothing is stored to a ring that was released. */
@JCStressTest
@Outcome(id = "true, 13", expect = Expect.ACCEPTABLE, desc = "released before or after the offer")
@Outcome(id = {"false, 77", "false, 0"}, expect = Expect.ACCEPTABLE, desc = "not released while it is offered to")
@Outcome(expect = Expect.FORBIDDEN, desc = "stored to after it was released")
@State
public class OfferCloseStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(8));

    static
    {
        MESSAGE.putLong(0, 77);
    }

    private final Ring ring;
    private final SoloPublication publication;

    /** A publication with a subscriber. */
    public OfferCloseStress()
    {
        ring = RINGS.fresh(256);
        new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        publication = new SoloPublication(null, ring, (bell, waiters) -> { }, null);
    }

    /** Offers. */
    @Actor
    public void offer()
    {
        publication.offer(MESSAGE, 0, 8);
    }

    /** Closes, and stores where the message would be as if the memory were somebody else's by now. */
    @Actor
    public void close(final ZJ_Result result)
    {
        publication.markClosed();
        result.r1 = publication.tryRelease();
        if (result.r1)
        {
            ring.memory().putLong(ring.addressOf(16), 13);
        }
    }

    /** What is there in the end. */
    @Arbiter
    public void look(final ZJ_Result result)
    {
        result.r2 = ring.memory().getLong(ring.addressOf(16));
    }
}
