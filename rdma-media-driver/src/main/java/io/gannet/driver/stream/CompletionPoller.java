package io.gannet.driver.stream;

import java.util.Arrays;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.Errno;
import io.gannet.rdma.WorkCompletions;

/**
 * The completion queues of one agent, polled in bulk. Not thread-safe: owned by the agent.
 */
final class CompletionPoller
{
    private static final int BATCH = 64;

    private final WorkCompletions completions = new WorkCompletions(BATCH);
    private CompletionChannel channel;
    private boolean armed;
    private CompletionQueue[] queues = {};
    private PollCounts[] counts = {};
    private long polls;
    private long emptyPolls;

    void add(final CompletionQueue queue)
    {
        queues = Arrays.copyOf(queues, queues.length + 1);
        queues[queues.length - 1] = queue;
        counts = Arrays.copyOf(counts, queues.length);
        counts[counts.length - 1] = new PollCounts();
    }

    /** Where the queues announce themselves once they are armed. */
    void channel(final CompletionChannel announcements)
    {
        channel = announcements;
    }

    /** Arms every queue: what completes from now on makes the channel's descriptor readable. */
    void arm()
    {
        armed = true;
        for (final CompletionQueue queue : queues)
        {
            armed &= queue.arm() == Errno.OK;
        }
    }

    /** {@return whether all queues were armed the last time: if not, they have to be polled} */
    boolean isArmed()
    {
        return armed;
    }

    /**
     * Takes what the queues have announced.
     *
     * @return whether there was anything.
     */
    boolean drain()
    {
        return channel != null && channel.drain() != 0;
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
        counts[index].onPoll(count == 0);
        return count;
    }

    /** {@return what is counted of a queue} */
    PollCounts countsOf(final CompletionQueue queue)
    {
        for (int i = 0; i < queues.length; i++)
        {
            if (queues[i].equals(queue))
            {
                return counts[i];
            }
        }
        throw new IllegalArgumentException(queue + " is not polled here");
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
