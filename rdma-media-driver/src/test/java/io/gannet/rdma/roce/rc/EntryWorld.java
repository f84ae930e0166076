package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.ring.model.ProcessWorld;

/** A small completion queue, whose entries are used again: not before they were polled. */
final class EntryWorld extends ProcessWorld
{
    private static final int MESSAGES = 8;
    private static final int DEPTH = 2;

    EntryWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        final SendQueue queue = new SendQueue(MESSAGES, 0, 1 << 20, 0);
        for (int i = 0; i < MESSAGES; i++)
        {
            queue.addWrite(i, 0, 0, 8, 0, 0, 0);
        }
        queue.ringDoorbell();
        final CompletionRing ring = new CompletionRing(DEPTH);
        thread("nic", () ->
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                while (!ring.addSend(queue, i, 1, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, i))
                {
                    idle();             // on a device the queue is of no use then; here it goes on
                }
            }
        });
        thread("poller", () -> poll(ring));
    }

    private void poll(final CompletionRing ring)
    {
        final WorkCompletions completions = new WorkCompletions(DEPTH);
        int next = 0;
        while (next < MESSAGES)
        {
            final int count = ring.poll(completions);
            for (int i = 0; i < count; i++, next++)
            {
                if (completions.wrId(i) != next || completions.byteLength(i) != next)
                {
                    throw new AssertionError("completion " + next + " is " + completions.wrId(i));
                }
            }
            idle();
        }
    }
}
