package io.gannet.driver.stream;

import java.util.Arrays;

import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.WorkCompletions;

/**
 * Sends what publications have committed: in each duty cycle it takes completions in bulk and gives every replica a
 * turn. Runs on one thread; control talks to it through a queue only.
 */
public final class Sender
{
    private static final int NONE = -1;

    private final AgentQueue inbox = new AgentQueue();
    private final CompletionPoller poller = new CompletionPoller();
    private OutboundReplica[] byIndex = new OutboundReplica[16];
    private OutboundReplica[] replicas = {};
    private long staleCompletions;

    /** Gives the sender a completion queue to poll. Any thread. */
    void add(final CompletionQueue queue)
    {
        inbox.add(() -> poller.add(queue));
    }

    /** Gives the sender a connection to serve. Any thread. */
    void add(final OutboundReplica replica)
    {
        inbox.add(() -> onAdd(replica));
    }

    /** Lets the sender stop with a connection, which then comes back as ended. Any thread. */
    void end(final OutboundReplica replica, final FailureKind reason)
    {
        inbox.add(() -> replica.fail(reason, 0));
    }

    /** Says where a publication ended; the connection comes back once the peer knows. Any thread. */
    void endStream(final OutboundReplica replica, final long position)
    {
        inbox.add(() -> replica.endAt(position));
    }

    /**
     * One duty cycle.
     *
     * @param now nanoseconds of a monotonic clock.
     * @return how much was done; 0 means idle.
     */
    public int doWork(final long now)
    {
        int work = inbox.drain();
        for (int i = 0; i < poller.size(); i++)
        {
            work += takeCompletions(i, now);
        }
        int ended = NONE;
        for (int i = 0; i < replicas.length; i++)
        {
            work += replicas[i].send(now);
            ended = replicas[i].failure() != null ? i : ended;
        }
        return ended == NONE ? work : work + removeEnded();
    }

    private int takeCompletions(final int queue, final long now)
    {
        final int count = poller.poll(queue);
        final WorkCompletions completions = poller.completions();
        for (int i = 0; i < count; i++)
        {
            final long wrId = completions.wrId(i);
            final OutboundReplica replica = replicaOf(wrId);
            if (replica == null)
            {
                staleCompletions++;
            }
            else
            {
                replica.onCompletion(wrId, completions.status(i), completions.opcode(i), now);
            }
        }
        return Math.max(count, 0);
    }

    private OutboundReplica replicaOf(final long wrId)
    {
        final int index = WorkId.index(wrId);
        final OutboundReplica replica = index < byIndex.length ? byIndex[index] : null;
        return replica != null && WorkId.isOf(wrId, replica.workBase()) ? replica : null;
    }

    private void onAdd(final OutboundReplica replica)
    {
        final int index = WorkId.index(replica.workBase());
        if (index >= byIndex.length)
        {
            byIndex = Arrays.copyOf(byIndex, Math.max(index + 1, 2 * byIndex.length));
        }
        byIndex[index] = replica;
        replicas = Arrays.copyOf(replicas, replicas.length + 1);
        replicas[replicas.length - 1] = replica;
    }

    private int removeEnded()
    {
        final OutboundReplica[] ended =
            Arrays.stream(replicas).filter(replica -> replica.failure() != null).toArray(OutboundReplica[]::new);
        replicas =
            Arrays.stream(replicas).filter(replica -> replica.failure() == null).toArray(OutboundReplica[]::new);
        for (final OutboundReplica replica : ended)
        {
            byIndex[WorkId.index(replica.workBase())] = null;
            replica.ended();
        }
        return ended.length;
    }

    /** {@return completions of connections that had ended, which were dropped} */
    public long staleCompletions()
    {
        return staleCompletions;
    }

    /** {@return polls of completion queues so far} */
    public long polls()
    {
        return poller.polls();
    }

    /** {@return polls that found nothing} */
    public long emptyPolls()
    {
        return poller.emptyPolls();
    }
}
