package io.gannet.ring.model;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A ring is closed while its producer or its reader uses it, and freed when that one has acknowledged. */
final class CloseWorld extends ProcessWorld
{
    private static final int MESSAGES = 12;
    private static final int LENGTH = 24;

    private final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final Ring ring;

    CloseWorld(final long seed, final String[] sites)
    {
        super(RingKind.EXCLUSIVE, seed, sites);
        final int entry = join();
        ring = processRing("user", "closer");
        if (random.nextBoolean())
        {
            thread("user", this::offer);
        }
        else
        {
            final ExclusiveProducer producer = new ExclusiveProducer(othersRing(), this::wake);
            thread("other", () ->
            {
                for (int i = 0; i < MESSAGES; i++)
                {
                    producer.offer(source, 0, LENGTH);
                }
            });
            final RingReader reader = new RingReader(ring, entry, false);
            thread("user", () -> poll(reader));
        }
        thread("closer", this::close);
    }

    private void offer()
    {
        final ExclusiveProducer producer = new ExclusiveProducer(ring, this::wake);
        long result = 0;
        while (result != Ring.CLOSED)
        {
            final long before = result;
            result = producer.offer(source, 0, LENGTH);
            if (result < 0 && result != Ring.CLOSED && result != Ring.BACK_PRESSURED)
            {
                throw new AssertionError("an offer after " + before + " says " + result);
            }
            if (result < 0)
            {
                idle();
            }
        }
        if (producer.offer(source, 0, LENGTH) != Ring.CLOSED)
        {
            throw new AssertionError("open again");
        }
    }

    private void poll(final RingReader reader)
    {
        while (!ring.isAcknowledged())
        {
            if (reader.poll((buffer, offset, length, position) ->
                read(buffer.addressOffset() + offset, source.addressOffset(), length), 3) == 0)
            {
                idle();
            }
        }
    }

    private void close()
    {
        pause(200);
        ring.close();
        while (!ring.isAcknowledged())
        {
            idle();
        }
        ring.free();
    }
}
