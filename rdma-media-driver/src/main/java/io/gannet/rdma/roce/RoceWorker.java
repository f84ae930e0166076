package io.gannet.rdma.roce;

import io.gannet.rdma.roce.cm.CmAgent;
import io.gannet.rdma.roce.net.PacketSocket;
import io.gannet.rdma.roce.net.TransmitBatch;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import java.util.ArrayList;
import java.util.List;

/**
 * A turn of the NIC: what was posted goes out, what has come is handled, timers are looked at, completions announced.
 * Everything under the device's lock.
 */
final class RoceWorker
{
    /** Nanoseconds between looks at the timers of requests without an acknowledge; the shortest of them is 5 ms. */
    private static final long BUSY_WAIT = 1_000_000;
    /** Nanoseconds between looks at the connection manager's timers. */
    private static final long QUIET_WAIT = 20_000_000;
    private static final long WINDOW_INTERVAL = 10_000_000L;

    private final PacketSocket socket;
    private final TransmitBatch batch;
    private final PacketDispatcher dispatcher;
    private final CmAgent agent;
    private final QueuePairs queuePairs;
    private final Counters counters;
    private final List<RoceCompletionQueue> announcing = new ArrayList<>();
    private long windowsSeen = System.nanoTime();
    private boolean closed;

    RoceWorker(
        final PacketSocket socket,
        final TransmitBatch batch,
        final PacketDispatcher dispatcher,
        final CmAgent agent,
        final QueuePairs queuePairs,
        final Counters counters)
    {
        this.socket = socket;
        this.batch = batch;
        this.dispatcher = dispatcher;
        this.agent = agent;
        this.queuePairs = queuePairs;
        this.counters = counters;
    }

    int turn(final long now)
    {
        if (closed)
        {
            return 0;
        }
        dispatcher.now(now);
        int work = post(now);
        work += socket.receive(dispatcher);
        agent.onTime(now);
        if (now - windowsSeen >= WINDOW_INTERVAL)
        {
            windowsSeen = now;
            counters.set(Counter.SMALLEST_WINDOW, queuePairs.smallestWindow());
        }
        work += queuePairs.work(now);
        if (!batch.isEmpty())
        {
            work += socket.send(batch);
        }
        for (int i = 0; i < announcing.size(); i++)
        {
            announcing.get(i).announce();
        }
        return work;
    }

    /** Sends what was posted since the last turn, before the turn spends its time on what has come. */
    int post(final long now)
    {
        return closed || queuePairs.post(now) == 0 ? 0 : socket.send(batch);
    }

    /** Nanoseconds that the next turn may wait for if nothing comes. */
    long waitLimit()
    {
        return batch.isEmpty() && queuePairs.areQuiet() ? QUIET_WAIT : BUSY_WAIT;
    }

    /** From now on the queue's channel is told of completions. */
    void announce(final RoceCompletionQueue queue)
    {
        announcing.add(queue);
    }

    void forget(final RoceCompletionQueue queue)
    {
        announcing.remove(queue);
    }

    void close()
    {
        if (!closed)
        {
            closed = true;
            socket.send(batch);             // the last words of closed connections
            socket.close();
        }
    }
}
