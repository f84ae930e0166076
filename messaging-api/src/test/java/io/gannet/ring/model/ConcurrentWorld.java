package io.gannet.ring.model;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.HoleRepair;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Several producers, some of which die between any two steps of a claim; the conductor repairs what they leave. */
final class ConcurrentWorld extends World
{
    private static final int MESSAGES = 30;

    private final HoleRepair repair;

    ConcurrentWorld(final long seed, final Weakening weakening, final boolean traced)
    {
        super(RingKind.CONCURRENT, seed, weakening, traced);
        repair = new HoleRepair(ring, this::wake);
        final int producers = 1 + random.nextInt(4);
        for (int i = 0; i < producers; i++)
        {
            final int number = i;
            final int lastMessage = random.nextInt(3) > 0 ? random.nextInt(MESSAGES) : MESSAGES;
            client("producer" + i, () -> produce(number, lastMessage), true);
        }
        final int readers = 1 + random.nextInt(2);
        for (int i = 0; i < readers; i++)
        {
            addReader(i);
        }
    }

    /** Dies while it sends {@code lastMessage}, mostly within its claim. */
    private void produce(final int number, final int lastMessage)
    {
        final ConcurrentProducer producer = new ConcurrentProducer(ring, number + 1, this::wake);
        final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
        final FrameClaim claim = new FrameClaim();
        for (int i = 0; i < MESSAGES; i++)
        {
            final int id = Payloads.id(number, i);
            final int length = payloads.write(id, source);
            final boolean inPlace = random.nextInt(4) == 0;
            long result;
            do
            {
                if (i == lastMessage)
                {
                    scheduler.current().dieAfter(random.nextInt(24));
                }
                result = inPlace ? producer.tryClaim(length, claim) : producer.offer(source, 0, length);
                if (result < 0)
                {
                    if (result == Ring.NOT_CONNECTED && !isAnyReaderLeft())
                    {
                        return;
                    }
                    scheduler.idle();
                }
            }
            while (result < 0);
            if (inPlace)
            {
                if (random.nextInt(8) == 0)
                {
                    ledger.aborted(id);
                    claim.abort();
                    continue;
                }
                memory.copy(source.addressOffset(), claim.buffer().addressOffset(), length);
                claim.commit();
            }
            ledger.sent(id, result - FrameHeader.step(length), result);
        }
    }

    @Override
    void attend()
    {
        if (random.nextInt(8) == 0)
        {
            repair();
        }
    }

    private boolean repair()
    {
        memory.cells().speculate(true);
        final boolean done = repair.repair(this::isBuried);
        memory.cells().speculate(false);
        return done;
    }

    @Override
    long finalPosition()
    {
        while (!repair())
        {
            scheduler.idle();
        }
        return super.finalPosition();
    }
}
