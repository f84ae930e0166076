package io.gannet.ring.stress;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingReader;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Two threads of one producer share its limit, its slots and its turns at the gating list: what both were told to have
 * sent is there once, whole, and within the window.
 */
@JCStressTest
@Outcome(id = "0, true", expect = Expect.ACCEPTABLE, desc = "all that was sent, and nothing beyond the window")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, torn, or beyond the window")
@State
public class SharedLimitStress
{
    private static final StressRing RINGS = new StressRing(RingKind.CONCURRENT, false);
    private static final int LENGTH = RingLayout.maxMessageLength(RingKind.CONCURRENT, StressRing.CAPACITY);
    private static final int WINDOW = RingLayout.window(RingKind.CONCURRENT, StressRing.CAPACITY);
    private static final UnsafeBuffer LARGE = filled(LENGTH, (byte) 1);
    private static final UnsafeBuffer SMALL = filled(8, (byte) 1);

    private final ConcurrentProducer producer;
    private final RingReader reader;
    private int sent;
    private int sentByOther;
    private int received;
    private boolean wrong;

    /** A ring that is full up to its window. */
    public SharedLimitStress()
    {
        final Ring ring = RINGS.fresh(StressRing.CAPACITY);
        reader = new RingReader(ring, new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1), false);
        producer = new ConcurrentProducer(ring, 1, (bell, waiters) -> { });
        while (producer.offer(LARGE, 0, LENGTH) > 0)
        {
            sent++;
        }
    }

    private static UnsafeBuffer filled(final int length, final byte value)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        buffer.setMemory(0, length, value);
        return buffer;
    }

    /** Gives room, looks at the reader again and sends long messages. */
    @Actor
    public void readAndSendLong()
    {
        poll();
        for (int i = 0; i < 3; i++)
        {
            sent += producer.offer(LARGE, 0, LENGTH) > 0 ? 1 : 0;
        }
    }

    /** Sends short ones, by the limit that the other has found. */
    @Actor
    public void sendShort()
    {
        for (int i = 0; i < 3; i++)
        {
            sentByOther += producer.offer(SMALL, 0, 8) > 0 ? 1 : 0;
        }
    }

    private void poll()
    {
        reader.poll((buffer, offset, length, position) ->
        {
            received++;
            wrong |= (length != 8 && length != LENGTH) || buffer.getByte(offset) != 1 ||
                buffer.getByte(offset + length - 1) != 1;
        }, Integer.MAX_VALUE);
    }

    /** Reads the rest and counts. */
    @Arbiter
    public void count(final IZ_Result result)
    {
        result.r2 = producer.position() <= reader.position() + WINDOW;
        poll();
        result.r1 = wrong ? -1 : sent + sentByOther - received;
    }
}
