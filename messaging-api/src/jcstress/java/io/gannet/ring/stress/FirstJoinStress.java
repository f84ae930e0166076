package io.gannet.ring.stress;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.ExclusiveProducer;
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

/** The first subscriber gets every message that its joining lets through. */
public final class FirstJoinStress
{
    private static final int PAYLOAD = 100;

    private FirstJoinStress()
    {
    }

    private static long join(final Ring ring)
    {
        final Membership membership = new Membership(ring);
        return membership.list().joinPosition(membership.join(GatingList.Kind.LOCAL, 1, 1));
    }

    private static long accepted(final long result, final FrameClaim claim)
    {
        if (result <= 0)
        {
            return 0;
        }
        claim.commit();
        return 1;
    }

    /** An exclusive ring. */
    @JCStressTest
    @Outcome(id = {"0, 0", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "what was accepted is behind the start")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message was accepted that nobody gets")
    @State
    public static class Exclusive
    {
        private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, false);

        private final Ring ring = RINGS.fresh(8 * 1024);
        private final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });
        private final FrameClaim claim = new FrameClaim();

        /** Publishes, if it may. */
        @Actor
        public void publish(final JJ_Result result)
        {
            result.r1 = accepted(producer.tryClaim(PAYLOAD, claim), claim);
        }

        /** Joins. */
        @Actor
        public void subscribe(final JJ_Result result)
        {
            result.r2 = join(ring);
        }
    }

    /** A concurrent ring. */
    @JCStressTest
    @Outcome(id = {"0, 0", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "what was accepted is behind the start")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message was accepted that nobody gets")
    @State
    public static class Concurrent
    {
        private static final StressRing RINGS = new StressRing(RingKind.CONCURRENT, false);

        private final Ring ring = RINGS.fresh(8 * 1024);
        private final ConcurrentProducer producer = new ConcurrentProducer(ring, 1, (bell, waiters) -> { });
        private final FrameClaim claim = new FrameClaim();

        /** Publishes, if it may. */
        @Actor
        public void publish(final JJ_Result result)
        {
            result.r1 = accepted(producer.tryClaim(PAYLOAD, claim), claim);
        }

        /** Joins. */
        @Actor
        public void subscribe(final JJ_Result result)
        {
            result.r2 = join(ring);
        }
    }
}
