package io.gannet.ring.stress;

import io.gannet.ring.GatingList;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Gating list: while one joins and another leaves, no refresh sees a list without both. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "a gate, or no stable picture yet")
@Outcome(expect = Expect.FORBIDDEN, desc = "nobody gates")
@State
public class GatingListStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);

    private final Membership membership;
    private final GatingMinimum gating;

    /** A ring with a reader at entry 1 and entry 0 unused, so that a scan meets the joiner's entry first. */
    public GatingListStress()
    {
        final Ring ring = RINGS.fresh(256);
        membership = new Membership(ring);
        membership.join(GatingList.Kind.LOCAL, 1, 1);
        membership.join(GatingList.Kind.LOCAL, 2, 2);
        membership.leave(0);
        gating = new GatingMinimum(ring);
    }

    /** One joins, then the other leaves. */
    @Actor
    public void change()
    {
        membership.join(GatingList.Kind.LOCAL, 3, 3);
        membership.leave(1);
    }

    /** Looks. */
    @Actor
    public void refresh(final Z_Result result)
    {
        result.r1 = gating.refresh(0) != RingLayout.FREE;
    }
}
