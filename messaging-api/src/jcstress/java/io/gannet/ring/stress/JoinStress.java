package io.gannet.ring.stress;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHeader;
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

/** Fences of join and refresh: the producer sees the entry, or the joiner sees how far the producer was. */
@JCStressTest
@Outcome(id = {"0, 0", "0, 8192", "0, 16384",
    "8192, 8192", "8192, 16384", "16384, 16384"}, expect = Expect.ACCEPTABLE,
    desc = "one sees the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "the producer was told a minimum above a joiner that starts below")
@State
public class JoinStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);
    private static final int PAYLOAD = 8 * 1024 - FrameHeader.HEADER_LENGTH;

    private final Ring producing;
    private final Ring joining;
    private final ExclusiveProducer producer;
    private final FrameClaim claim = new FrameClaim();
    private final GatingList list;

    /** A ring at 8192 whose only reader says that it is at 16384, and so never holds the minimum. */
    public JoinStress()
    {
        final Ring ring = RINGS.fresh(24 * 1024);
        list = new GatingList(ring);
        final int entry = new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        producing = StressRing.fencing(ring);
        joining = StressRing.fencing(ring);
        producer = new ExclusiveProducer(producing, (bell, waiters) -> { });
        send();
        StressRing.finish(producing);
        ring.memory().putLongRelease(list.positionAddress(entry), 16 * 1024);
    }

    private void send()
    {
        producer.tryClaim(PAYLOAD, claim);
        claim.commit();
    }

    /** Commits up to the next coarse position, then looks at the gates. */
    @Actor
    public void produce(final JJ_Result result)
    {
        send();
        result.r1 = producer.gating().refresh(16 * 1024);
        StressRing.finish(producing);
    }

    /** Joins. */
    @Actor
    public void join(final JJ_Result result)
    {
        final int entry = new Membership(joining).join(GatingList.Kind.LOCAL, 2, 2);
        result.r2 = joining.memory().getLong(list.positionAddress(entry));
        StressRing.finish(joining);
    }
}
