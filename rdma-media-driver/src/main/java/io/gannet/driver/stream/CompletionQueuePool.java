package io.gannet.driver.stream;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.RdmaDevice;

/**
 * Completion queues of one agent. The completions that the queue pairs of one queue can have at a time never exceed its
 * depth; one that does not fit gets another queue. For the control thread alone.
 */
final class CompletionQueuePool implements AutoCloseable
{
    /** Of the first queue; each further one is twice as deep, as every one is polled in each cycle. */
    private static final int DEPTH = 4096;
    private static final int MOST_DOUBLINGS = 4;

    private final RdmaDevice device;
    private final CompletionChannel channel;
    private final Consumer<CompletionQueue> agent;
    private final Map<CompletionQueue, Integer> used = new LinkedHashMap<>();

    /**
     * @param agent gets each new queue to poll.
     */
    CompletionQueuePool(final RdmaDevice device, final Consumer<CompletionQueue> agent)
    {
        this.device = device;
        channel = device.createCompletionChannel();
        this.agent = agent;
    }

    /**
     * Finds a queue with room.
     *
     * @param completions that the queue pair can have at most: its send depth and its receive depth.
     */
    CompletionQueue reserve(final int completions)
    {
        for (final Map.Entry<CompletionQueue, Integer> entry : used.entrySet())
        {
            if (entry.getValue() + completions <= entry.getKey().depth())
            {
                entry.setValue(entry.getValue() + completions);
                return entry.getKey();
            }
        }
        final long wanted = Math.max(completions, (long) DEPTH << Math.min(used.size(), MOST_DOUBLINGS));
        final int depth = (int) Math.min(wanted, device.limits().maxCompletions());
        final CompletionQueue queue = device.createCompletionQueue(depth, channel);
        used.put(queue, completions);
        agent.accept(queue);
        return queue;
    }

    /** {@return where the queues announce completions once they are armed} */
    CompletionChannel channel()
    {
        return channel;
    }

    /** The queue pair that had reserved so many is closed. */
    void release(final CompletionQueue queue, final int completions)
    {
        used.computeIfPresent(queue, (key, count) -> count - completions);
    }

    /** Closes all; the agent must have ended. */
    @Override
    public void close()
    {
        used.keySet().forEach(CompletionQueue::close);
        used.clear();
        channel.close();
    }
}
