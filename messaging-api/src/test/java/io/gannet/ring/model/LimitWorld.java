package io.gannet.ring.model;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingReader;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two threads of one producer. One would send the longest message, for which there is never room, and so looks at the
 * reader again and again and claims nothing; the other sends short ones and goes by the limits that the first finds.
 * After more than the slack of the ring it overwrites what only the first has seen to be consumed.
 */
final class LimitWorld extends ProcessWorld
{
    private static final int MESSAGES = 1200;
    private static final int LENGTH = 16;
    private static final int WINDOW = RingLayout.window(RingKind.CONCURRENT, RingLayout.MIN_CAPACITY);
    private static final int LONGEST = RingLayout.maxFrameLength(RingKind.CONCURRENT, RingLayout.MIN_CAPACITY);
    /** How far the reader stays behind, at least and at most: too near for the longest message. */
    private static final int LEAST_LAG = WINDOW - LONGEST + 512;
    private static final int MOST_LAG = WINDOW - 1024;

    private final UnsafeBuffer small = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final UnsafeBuffer large = new UnsafeBuffer(ByteBuffer.allocateDirect(LONGEST));
    private final UnsafeBuffer received = new UnsafeBuffer(ByteBuffer.allocateDirect(LONGEST));
    private final ConcurrentProducer producer;
    private final RingReader reader;
    /** What the actors know of each other beside the ring: it steers them and orders nothing. */
    private long sent;
    private long consumed;
    private long looked;
    private boolean over;

    LimitWorld(final long seed, final String[] sites)
    {
        super(RingKind.CONCURRENT, seed, sites);
        reader = new RingReader(othersRing(), join(), false);
        producer = new ConcurrentProducer(othersRing(), 1, this::wake);
        thread("large", this::look);
        thread("small", this::send);
        thread("reader", this::read);
    }

    private void look()
    {
        while (!over)
        {
            if (sent - consumed < LEAST_LAG)
            {
                idle();
                continue;
            }
            final long before = consumed;
            final long result = producer.offer(large, 0, LONGEST - 16);
            if (result != Ring.BACK_PRESSURED)
            {
                throw new AssertionError("the longest message was answered by " + result);
            }
            looked = before;
        }
    }

    private void send()
    {
        for (int i = 0; i < MESSAGES; i++)
        {
            while (sent - consumed > MOST_LAG || sent > looked + WINDOW - 1024)
            {
                idle();
            }
            small.putLong(0, i);
            small.putLong(8, i);
            long result = producer.offer(small, 0, LENGTH);
            while (result == Ring.BACK_PRESSURED)
            {
                // The other thread has seen less of the reader than it could, and is just looking again.
                idle();
                result = producer.offer(small, 0, LENGTH);
            }
            if (result < 0)
            {
                throw new AssertionError("a short message was answered by " + result);
            }
            sent = result;
        }
        over = true;
    }

    private void read()
    {
        while (!over)
        {
            if (sent - consumed < LEAST_LAG + 256)
            {
                idle();
                continue;
            }
            reader.poll((buffer, offset, length, position) ->
            {
                read(buffer.addressOffset() + offset, received.addressOffset(), length);
                if (length != LENGTH || received.getLong(0) != received.getLong(8))
                {
                    throw new AssertionError("a wrong message at " + position);
                }
            }, 4);
            consumed = reader.position();
        }
    }
}
