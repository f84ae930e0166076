package io.gannet.ring.stress;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Close of a concurrent producer against a claim: the claim is refused, or the closer knows that it is open. */
@JCStressTest
@Outcome(id = {"true, false, 1", "false, false, 1"}, expect = Expect.ACCEPTABLE, desc = "open, or about to be refused")
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "refused; all slots given back")
@Outcome(expect = Expect.FORBIDDEN, desc = "idle with an open claim, or a slot that nobody gives back")
@State
public class ProducerCloseStress
{
    private static final StressRing RINGS = new StressRing(RingKind.CONCURRENT, false);

    private final Ring ring;
    private final ConcurrentProducer producer;
    private final FrameClaim claim = new FrameClaim();

    /** A ring with one reader. */
    public ProducerCloseStress()
    {
        ring = RINGS.fresh(256);
        new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        producer = new ConcurrentProducer(ring, 1, (bell, waiters) -> { });
    }

    /** Claims, and leaves it open. */
    @Actor
    public void claim(final ZZI_Result result)
    {
        result.r1 = producer.tryClaim(8, claim) > 0;
    }

    /** Closes. */
    @Actor
    public void close(final ZZI_Result result)
    {
        producer.close();
        result.r2 = producer.isIdle();
    }

    /** Counts the slots that are still somebody's. */
    @Arbiter
    public void count(final ZZI_Result result)
    {
        for (int i = 0; i < RingLayout.MAX_SLOTS; i++)
        {
            final long owner = ring.headerAddress() + RingLayout.slotOffset(i) + RingLayout.SLOT_CLIENT_ID;
            result.r3 += ring.memory().getLongAcquire(owner) != 0 ? 1 : 0;
        }
    }
}
