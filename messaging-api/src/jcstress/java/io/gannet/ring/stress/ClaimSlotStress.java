package io.gannet.ring.stress;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.HoleRepair;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Claim slots: repair takes no claim of the living for a dead one, nor an open one for a committed one. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "nothing padded")
@Outcome(expect = Expect.FORBIDDEN, desc = "a claim of the living was padded")
@State
public class ClaimSlotStress
{
    private static final StressRing RINGS = new StressRing(RingKind.CONCURRENT, false);
    private static final long DEAD = 9;
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(8));

    private final ConcurrentProducer producer;
    private final HoleRepair repair;

    /** A ring with one reader, and a slot whose owner died before it took anything. */
    public ClaimSlotStress()
    {
        final Ring ring = RINGS.fresh(256);
        new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        final long dead = ring.headerAddress() + RingLayout.slotOffset(5);
        ring.memory().putLong(dead + RingLayout.SLOT_CLIENT_ID, DEAD);
        ring.memory().putLong(dead + RingLayout.SLOT_STATE, 32 << 5 | 1);
        final long state = ring.headerAddress() + RingLayout.slotOffset(0) + RingLayout.SLOT_STATE;
        producer = new ConcurrentProducer(StressRing.storing(ring, state), 1, (bell, waiters) -> { });
        repair = new HoleRepair(ring, (bell, waiters) -> { });
    }

    /** Claims and commits. */
    @Actor
    public void send()
    {
        producer.offer(MESSAGE, 0, 8);
        StressRing.finish(producer.ring());
    }

    /** Repairs. */
    @Actor
    public void repair(final J_Result result)
    {
        repair.repair(client -> client == DEAD);
        result.r1 = repair.paddedBytes();
    }
}
