package io.gannet.ring.stress;

import io.gannet.ring.Bell;
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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Bell without membarrier: the hot side sees the waiter, or the sleeper sees the message. */
@JCStressTest
@Outcome(id = {"true, true", "true, false", "false, true"}, expect = Expect.ACCEPTABLE, desc = "rung, or seen, or both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost wake-up")
@State
public class BellStress
{
    private static final StressRing RINGS = new StressRing(RingKind.EXCLUSIVE, true);
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(8));

    private final Ring producing;
    private final Ring sleeping;
    private final ExclusiveProducer producer;
    private final RingReader reader;
    private boolean rung;

    /** An empty ring with one reader. */
    public BellStress()
    {
        final Ring ring = RINGS.fresh(256);
        final int entry = new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        producing = StressRing.fencing(ring);
        sleeping = ring;
        producer = new ExclusiveProducer(producing, (bell, waiters) -> rung = true);
        reader = new RingReader(sleeping, entry, false);
    }

    /** Sends and rings if anybody waits. */
    @Actor
    public void send(final ZZ_Result result)
    {
        producer.offer(MESSAGE, 0, 8);
        StressRing.finish(producing);
        result.r1 = rung;
    }

    /** Announces that it will sleep, and looks again. */
    @Actor
    public void sleep(final ZZ_Result result)
    {
        new Bell(sleeping, (bell, waiters) -> { }).announce(Bell.WAITER_FUTEX);
        Bell.fence(sleeping.memory(), true);
        result.r2 = reader.isReady();
    }
}
