package io.gannet.ring.stress;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
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
import org.openjdk.jcstress.infra.results.II_Result;

/** Zero-ahead of a concurrent ring: who sees a commit sees 0 half a ring ahead, where an older lap was. */
@JCStressTest
@Outcome(id = {"0, 0", "0, 24", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "not committed, or zeroed")
@Outcome(expect = Expect.FORBIDDEN, desc = "committed and not zeroed")
@State
public class ZeroAheadStress
{
    private static final StressRing RINGS = new StressRing(RingKind.CONCURRENT, false);
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(ByteBuffer.allocateDirect(8));

    private final ConcurrentProducer producer;
    private final RingReader reader;

    /** An empty ring with one reader and an old length half a ring ahead. */
    public ZeroAheadStress()
    {
        final Ring ring = RINGS.fresh(256);
        final int half = ring.capacity() / 2;
        NativeMemory.INSTANCE.putInt(ring.addressOf(half), 24);
        final int entry = new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
        final long frame = ring.addressOf(0);
        producer = new ConcurrentProducer(StressRing.storing(ring, frame), 1, (bell, waiters) -> { });
        reader = new RingReader(StressRing.loading(ring, frame, ring.addressOf(half), 4), entry, false);
    }

    /** Sends. */
    @Actor
    public void send()
    {
        producer.offer(MESSAGE, 0, 8);
        StressRing.finish(producer.ring());
    }

    /** Polls, then looks half a ring ahead. */
    @Actor
    public void poll(final II_Result result)
    {
        final int half = reader.ring().capacity() / 2;
        try
        {
            result.r1 = reader.poll(
                (buffer, offset, length, position) ->
                    result.r2 = reader.ring().memory().getInt(reader.ring().addressOf(half)),
                10);
        }
        catch (final RuntimeException ex)
        {
            result.r1 = -1;
        }
    }
}
