package io.gannet.ring.stress;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Coarse position: a joiner that starts there finds 0 behind it, not an older lap. */
@JCStressTest
@Outcome(id = {"0", "8192", "16384"}, expect = Expect.ACCEPTABLE, desc = "a frame start of this lap")
@Outcome(expect = Expect.FORBIDDEN, desc = "older bytes taken for a frame")
@State
public class CoarsePositionStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);
    private static final int PAYLOAD = 8 * 1024 - FrameHeader.HEADER_LENGTH;

    private final Ring producing;
    private final Ring joining;
    private final ExclusiveProducer producer;
    private final FrameClaim claim = new FrameClaim();

    /** A ring at 8192 with a reader, and an old length where the stream will cross to its next coarse position. */
    public CoarsePositionStress()
    {
        final Ring ring = RINGS.fresh(24 * 1024);
        final long coarse = ring.headerAddress() + RingLayout.COARSE_OFFSET;
        NativeMemory.INSTANCE.putInt(ring.addressOf(16 * 1024), 64);
        new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        producing = StressRing.storing(ring, coarse);
        joining = StressRing.loading(ring, coarse, ring.addressOf(16 * 1024), 4);
        producer = new ExclusiveProducer(producing, (bell, waiters) -> { });
        commit();
    }

    private void commit()
    {
        producer.tryClaim(PAYLOAD, claim);
        claim.commit();
        StressRing.finish(producing);
    }

    /** Crosses. */
    @Actor
    public void send()
    {
        commit();
    }

    /** Joins. */
    @Actor
    public void join(final J_Result result)
    {
        final int entry = new Membership(joining).join(GatingList.Kind.LOCAL, 2, 2);
        result.r1 = joining.memory().getLong(new GatingList(joining).positionAddress(entry));
    }
}
