package io.gannet.driver.stream;

import io.gannet.os.LateFault;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Work that one thread of replication hands to another: connections and completion queues from control to an agent,
 * connections that have ended back. Seldom used, so it may allocate.
 */
final class AgentQueue
{
    private final ManyToOneConcurrentLinkedQueue<Runnable> queue = new ManyToOneConcurrentLinkedQueue<>();
    private final Runnable bell;

    /**
     * @param bell wakes the owner, called after each addition, on any thread.
     */
    AgentQueue(final Runnable bell)
    {
        this.bell = bell;
    }

    /** Adds work for the owner. Any thread. */
    void add(final Runnable work)
    {
        queue.offer(work);
        bell.run();
    }

    /**
     * Does what has come. On the owner's thread. A late fault of what it did before comes up between two pieces of
     * work, of which none is lost.
     *
     * @return how many were done.
     * @throws InternalError the fault.
     */
    int drain()
    {
        int count = 0;
        while (!queue.isEmpty())
        {
            LateFault.raise();
            queue.poll().run();
            count++;
        }
        return count;
    }
}
