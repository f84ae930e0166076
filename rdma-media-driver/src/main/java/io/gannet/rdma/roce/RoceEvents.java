package io.gannet.rdma.roce;

import io.gannet.rdma.AsyncEventHandler;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.roce.rc.CompletionRing;
import io.gannet.rdma.roce.rc.RcQueuePair;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Asynchronous events between the working thread, which adds them, and the one that polls them; and those of the link.
 */
final class RoceEvents implements RcQueuePair.Events
{
    private final QueuePairs queuePairs;
    private final LinkWatch link;
    private final Queue<AsyncEvent> events = new ConcurrentLinkedQueue<>();

    RoceEvents(final QueuePairs queuePairs, final LinkWatch link)
    {
        this.queuePairs = queuePairs;
        this.link = link;
    }

    @Override
    public void onEvent(final AsyncEventType type, final int qpn, final CompletionRing ring)
    {
        events.add(new AsyncEvent(type, qpn, ring == null ? null : queuePairs.onOverrun(ring)));
    }

    int poll(final AsyncEventHandler handler)
    {
        final AsyncEventType change = link.change(System.nanoTime());
        int count = 0;
        if (change != null)
        {
            handler.onAsyncEvent(change, 1, null);
            count++;
        }
        for (AsyncEvent event = events.poll(); event != null; event = events.poll())
        {
            handler.onAsyncEvent(event.type, event.number, event.queue);
            count++;
        }
        return count;
    }

    private record AsyncEvent(AsyncEventType type, int number, CompletionQueue queue)
    {
    }
}
