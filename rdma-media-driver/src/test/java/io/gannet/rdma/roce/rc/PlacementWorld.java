package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.ring.model.ProcessWorld;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A NIC places a packet that is copied, then one of two words, then completes. Who polls the later word finds the
 * earlier one and the copied bytes; who polls the completion finds all.
 */
final class PlacementWorld extends ProcessWorld
{
    private static final String PLACED = "placed";
    private static final int COPIED = 72;
    private static final UnsafeBuffer PACKET = new UnsafeBuffer(ByteBuffer.allocate(COPIED + 16));
    private static final UnsafeBuffer TARGET = new UnsafeBuffer(ByteBuffer.allocateDirect(COPIED + 16 + 64));

    static
    {
        for (int i = 0; i < PACKET.capacity(); i += Long.BYTES)
        {
            PACKET.putLong(i, i + 1);
        }
    }

    private final long target = TARGET.addressOffset() + 63 & -64L;
    private final CompletionRing ring = new CompletionRing(1);

    PlacementWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        final ReceiveQueue queue = new ReceiveQueue(1);
        queue.add(1, 0, 0, 0);
        queue.post();
        thread("nic", () ->
        {
            Region.place(PACKET, 0, COPIED, target);
            Region.place(PACKET, COPIED, 16, target + COPIED);
            ring.addReceive(queue, queue.head(), 1, WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM, 8, 0, 0);
        });
        if (random.nextBoolean())
        {
            thread("word poller", this::pollWord);
        }
        else
        {
            thread("completion poller", this::pollCompletion);
        }
    }

    private void pollWord()
    {
        while (observe(target + COPIED + 8, PLACED) == 0)
        {
            idle();
        }
        if (observe(target + COPIED, PLACED) == 0)
        {
            throw new AssertionError("a word before the one in front of it");
        }
        assertPlaced(COPIED);
    }

    private void pollCompletion()
    {
        final WorkCompletions completions = new WorkCompletions(1);
        while (ring.poll(completions) == 0)
        {
            idle();
        }
        assertPlaced(COPIED + 16);
    }

    private void assertPlaced(final int bytes)
    {
        for (int i = 0; i < bytes; i += Long.BYTES)
        {
            if (read(target + i, PLACED) != i + 1)
            {
                throw new AssertionError("byte " + i + " has not come");
            }
        }
    }
}
