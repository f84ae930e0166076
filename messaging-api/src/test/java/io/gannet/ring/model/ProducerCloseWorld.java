package io.gannet.ring.model;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;

/** Threads claim and commit while another closes their producer and waits until it is idle. */
final class ProducerCloseWorld extends ProcessWorld
{
    private static final int MESSAGES = 8;
    private static final int LENGTH = 16;

    private final ConcurrentProducer producer;
    private boolean idle;

    ProducerCloseWorld(final long seed, final String[] sites)
    {
        super(RingKind.CONCURRENT, seed, sites);
        join();
        producer = new ConcurrentProducer(othersRing(), 1, this::wake);
        final int threads = 1 + random.nextInt(2);
        for (int i = 0; i < threads; i++)
        {
            thread("producer" + i, this::send);
        }
        thread("closer", this::close);
    }

    private void send()
    {
        final FrameClaim claim = new FrameClaim();
        for (int i = 0; i < MESSAGES; i++)
        {
            long result = producer.tryClaim(LENGTH, claim);
            while (result == Ring.BACK_PRESSURED)
            {
                // While the other thread looks at the reader for the first time.
                idle();
                result = producer.tryClaim(LENGTH, claim);
            }
            if (result == Ring.CLOSED)
            {
                return;
            }
            if (result < 0)
            {
                throw new AssertionError("a claim is answered by " + result);
            }
            checkOpen();
            pause(8);
            checkOpen();
            claim.commit();
        }
    }

    private void checkOpen()
    {
        if (idle)
        {
            throw new AssertionError(actor() + " has a claim open after the producer was said to be idle");
        }
    }

    private void close()
    {
        pause(120);
        producer.close();
        while (!producer.isIdle())
        {
            idle();
        }
        idle = true;
    }
}
