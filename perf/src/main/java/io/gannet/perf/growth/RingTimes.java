package io.gannet.perf.growth;

import io.gannet.perf.rig.Summary;
import io.gannet.ring.Bell;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameHandler;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Times a ring in one thread, batch by batch: all readers poll what a batch wrote. The median of the batches does not
 * mind what interrupts a few of them.
 */
final class RingTimes implements AutoCloseable
{
    private static final int BATCH_BYTES = 32 * 1024;
    private static final int LARGEST_BATCH = 128;
    private static final int FEWEST_BATCHES = 20;
    private static final int MOST_BATCHES = 20_000;

    private final Ring ring;
    private final ExclusiveProducer producer;
    private final RingReader[] readers;
    private final double makeMillis;
    private long sum;
    private final FrameHandler reading = (buffer, offset, length, position) ->
    {
        long words = 0;
        for (int i = 0; i + Long.BYTES <= length; i += Long.BYTES)
        {
            words += buffer.getLong(offset + i);
        }
        sum += words;
    };

    /**
     * Nanoseconds.
     *
     * @param offer a message to the producer.
     * @param poll  a message to one reader.
     */
    record Times(Summary offer, Summary poll)
    {
    }

    RingTimes(final int capacity, final int subscribers)
    {
        final long begun = System.nanoTime();
        ring = RingFile.createAnonymous(new RingDescription(RingKind.EXCLUSIVE, capacity));
        makeMillis = (System.nanoTime() - begun) / 1e6;
        final Membership membership = new Membership(ring);
        readers = new RingReader[subscribers];
        for (int i = 0; i < subscribers; i++)
        {
            readers[i] = new RingReader(ring, membership.join(GatingList.Kind.LOCAL, 1, i + 1L), false);
        }
        producer = new ExclusiveProducer(ring, Bell.FUTEX_WAKER);
    }

    /** How long making, mapping and zeroing took. */
    double makeMillis()
    {
        return makeMillis;
    }

    int maxMessageLength()
    {
        return ring.maxMessageLength();
    }

    /** Measures messages of so many bytes for so long, and at least one lap of a ring of them. */
    Times measure(final int bytes, final long nanos)
    {
        final UnsafeBuffer source = new UnsafeBuffer(BufferUtil.allocateDirectAligned(Math.max(bytes, 64), 64));
        final int batch = Math.max(1, Math.min(LARGEST_BATCH, BATCH_BYTES / (bytes + 32)));
        final long lap = Math.min(MOST_BATCHES, ring.capacity() / ((bytes + 16L) * batch) + 1);
        final double[] offers = new double[MOST_BATCHES];
        final double[] polls = new double[MOST_BATCHES];
        final long end = System.nanoTime() + nanos;
        int count = 0;
        while (count < MOST_BATCHES && (count < FEWEST_BATCHES || count < lap || System.nanoTime() - end < 0))
        {
            final long start = System.nanoTime();
            for (int i = 0; i < batch; i++)
            {
                if (producer.offer(source, 0, bytes) < 0)
                {
                    throw new IllegalStateException("refused: the readers did not take the batch before");
                }
            }
            final long offered = System.nanoTime();
            drain(batch);
            offers[count] = (offered - start) / (double) batch;
            polls[count++] = (System.nanoTime() - offered) / (double) batch / readers.length;
        }
        return new Times(summary(offers, count), summary(polls, count));
    }

    private void drain(final int batch)
    {
        for (final RingReader reader : readers)
        {
            int polled = 0;
            while (polled < batch)
            {
                polled += reader.poll(reading, batch);
            }
        }
    }

    private static Summary summary(final double[] values, final int count)
    {
        // The first tenth warms caches and the compiler up.
        return Summary.of(Arrays.stream(values, count / 10, count).boxed().toList());
    }

    /** Keeps the reads from being optimised away. */
    long sum()
    {
        return sum;
    }

    @Override
    public void close()
    {
        ring.close();
        ring.free();
    }
}
