package io.gannet.ring.model;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Threads of one client that share its producer, and one that closes it, in the end or in the middle. */
final class SharedProducerWorld extends World
{
    private static final int MESSAGES = 30;

    private final boolean closesEarly;
    private final int threads;
    private ConcurrentProducer producer;
    private int[] made;
    private int ended;
    private boolean idle;
    private final int[] committed = new int[3];

    SharedProducerWorld(final long seed, final Weakening weakening, final boolean traced)
    {
        super(RingKind.CONCURRENT, seed, weakening, traced);
        memory.modelFields(true);
        closesEarly = random.nextInt(3) == 0;
        threads = 2 + random.nextInt(2);
        for (int i = 0; i < threads; i++)
        {
            final int number = i;
            client("producer" + i, () -> produce(number), true);
        }
        client("closer", this::close, true);
        addReader(0);
        addReader(1);
    }

    private void produce(final int number)
    {
        if (number == 0)
        {
            final ConcurrentProducer one = new ConcurrentProducer(ring, 1, this::wake);
            made = memory.cells().handOver();
            producer = one;
        }
        await();
        final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
        final FrameClaim claim = new FrameClaim();
        for (int i = 0; i < MESSAGES; i++)
        {
            final int id = Payloads.id(number, i);
            final int length = payloads.write(id, source);
            final boolean inPlace = random.nextInt(3) == 0;
            long result = 0;
            while (result <= 0)
            {
                result = inPlace ? producer.tryClaim(length, claim) : producer.offer(source, 0, length);
                if (result == Ring.CLOSED || (result == Ring.NOT_CONNECTED && !isAnyReaderLeft()))
                {
                    ended++;
                    return;
                }
                if (result < 0)
                {
                    scheduler.idle();
                }
            }
            if (inPlace)
            {
                checkOpen();
                memory.copy(source.addressOffset(), claim.buffer().addressOffset(), length);
                checkOpen();
                final int clock = memory.cells().clock();
                claim.commit();
                committed[number] = clock;
            }
            ledger.sent(id, result - FrameHeader.step(length), result);
        }
        ended++;
    }

    private void await()
    {
        while (producer == null)
        {
            scheduler.idle();
        }
        memory.cells().takeOver(made);
    }

    private void checkOpen()
    {
        if (idle)
        {
            throw new AssertionError("a claim is open after the producer was said to be idle");
        }
    }

    private void close()
    {
        await();
        for (int i = closesEarly ? random.nextInt(400) : Integer.MAX_VALUE; i > 0 && ended < threads; i--)
        {
            scheduler.idle();
        }
        producer.close();
        while (!producer.isIdle())
        {
            scheduler.idle();
        }
        idle = true;
        for (int i = 0; i < threads; i++)
        {
            if (!memory.cells().hasHappened(i, committed[i]))
            {
                throw new AssertionError("a commit of producer" + i + " is not ordered before the end of its ring");
            }
        }
    }

    /** What the threads have done the conductor knows from who closed their producer. */
    @Override
    boolean bidsFarewell(final String actor)
    {
        return !actor.startsWith("producer");
    }

    @Override
    long finalPosition()
    {
        for (int i = 0; i < RingLayout.MAX_SLOTS; i++)
        {
            final long owner = ring.headerAddress() + RingLayout.slotOffset(i) + RingLayout.SLOT_CLIENT_ID;
            if (memory.newestInt(owner) != 0)
            {
                throw new AssertionError("slot " + i + " was not given back");
            }
        }
        return super.finalPosition();
    }
}
