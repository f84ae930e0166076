package io.gannet.ring.stress;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The first subscriber of a concurrent ring gets every message that its joining lets through. */
@JCStressTest
@Outcome(id = {"0, 0", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "what was accepted is behind the start")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message was accepted that nobody gets")
@State
public class FirstJoinConcurrentStress
{
    private static final StressRing RINGS = new StressRing(RingKind.CONCURRENT, false);
    private static final int PAYLOAD = 100;

    private final Ring ring = RINGS.fresh(8 * 1024);
    private final ConcurrentProducer producer = new ConcurrentProducer(ring, 1, (bell, waiters) -> { });
    private final FrameClaim claim = new FrameClaim();

    /** Publishes, if it may. */
    @Actor
    public void publish(final JJ_Result result)
    {
        if (producer.tryClaim(PAYLOAD, claim) > 0)
        {
            claim.commit();
            result.r1 = 1;
        }
    }

    /** Joins. */
    @Actor
    public void subscribe(final JJ_Result result)
    {
        final Membership membership = new Membership(ring);
        result.r2 = membership.list().joinPosition(membership.join(GatingList.Kind.LOCAL, 1, 1));
    }
}
