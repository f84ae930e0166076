package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.ring.model.ProcessWorld;

/** A poller that arms its queue, polls once more and sleeps until it is told: never beside a completion. */
final class AnnouncementWorld extends ProcessWorld
{
    private static final int MESSAGES = 6;

    private final CompletionRing ring = new CompletionRing(MESSAGES);
    private final Announcement announcement = new Announcement();
    /** What the kernel carries: events of the channel. */
    private int events;

    AnnouncementWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        final ReceiveQueue queue = new ReceiveQueue(MESSAGES);
        for (int i = 0; i < MESSAGES; i++)
        {
            queue.add(i, 0, 0, 0);
        }
        queue.post();
        thread("nic", () ->
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                pause(20);
                ring.addReceive(queue, queue.head(), 1, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, 0);
                queue.consume();
                if (announcement.isDue(ring.added()))
                {
                    events++;
                }
            }
        });
        thread("poller", this::poll);
    }

    private void poll()
    {
        final WorkCompletions completions = new WorkCompletions(MESSAGES);
        int polled = 0;
        while (polled < MESSAGES)
        {
            int count = ring.poll(completions);
            if (count == 0)
            {
                announcement.arm();
                count = ring.poll(completions);
                while (count == 0 && events == 0)
                {
                    idle();
                }
                events = 0;
            }
            polled += count;
        }
    }
}
