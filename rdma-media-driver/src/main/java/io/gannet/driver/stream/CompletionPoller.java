package io.gannet.driver.stream;

import java.util.Arrays;

import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.WorkCompletions;

/**
 * The completion queues of one agent, polled in bulk. Not thread-safe: owned by the agent.
 */
final class CompletionPoller
{
    private static final int BATCH = 64;

    private final WorkCompletions completions = new WorkCompletions(BATCH);
    private CompletionQueue[] queues = {};
    private long polls;
    private long emptyPolls;

    void add(final CompletionQueue queue)
    {
        queues = Arrays.copyOf(queues, queues.length + 1);
        queues[queues.length - 1] = queue;
    }

    int size()
    {
        return queues.length;
    }

    /**
     * Polls one queue.
     *
     * @return completions found, which are in {@link #completions()}; negative if the queue is broken.
     */
    int poll(final int index)
    {
        final int count = queues[index].poll(completions);
        polls++;
        emptyPolls += count == 0 ? 1 : 0;
        return count;
    }

    WorkCompletions completions()
    {
        return completions;
    }

    long polls()
    {
        return polls;
    }

    long emptyPolls()
    {
        return emptyPolls;
    }
}
