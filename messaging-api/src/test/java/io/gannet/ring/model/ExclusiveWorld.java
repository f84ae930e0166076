package io.gannet.ring.model;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One producer, offering and claiming; readers come, go and die. */
final class ExclusiveWorld extends World
{
    private static final int MESSAGES = 90;

    ExclusiveWorld(final long seed, final Weakening weakening, final boolean traced)
    {
        super(RingKind.EXCLUSIVE, seed, weakening, traced);
        final Client producer = client("producer", this::produce, true);
        if (random.nextInt(8) == 0)
        {
            producer.actor.dieAt(random.nextInt(20_000));
        }
        final int readers = 1 + random.nextInt(3);
        for (int i = 0; i < readers; i++)
        {
            addReader(i);
        }
    }

    private void produce()
    {
        final ExclusiveProducer producer = new ExclusiveProducer(ring, this::wake);
        final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
        final FrameClaim claim = new FrameClaim();
        for (int i = 0; i < MESSAGES; i++)
        {
            final int id = Payloads.id(0, i);
            final int length = payloads.write(id, source);
            final boolean inPlace = random.nextInt(4) == 0;
            long result;
            do
            {
                result = inPlace ? producer.tryClaim(length, claim) : producer.offer(source, 0, length);
                if (result < 0)
                {
                    scheduler.note("back pressure " + result);
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
            checkNobodySleepsBelow(result);
            ledger.sent(id, result - FrameHeader.step(length), result);
        }
    }
}
