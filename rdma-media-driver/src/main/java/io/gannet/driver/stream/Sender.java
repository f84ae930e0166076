package io.gannet.driver.stream;

import java.util.Arrays;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.WorkCompletions;
import io.gannet.ring.Bell;

/**
 * Sends what publications have committed: in each duty cycle it takes completions in bulk and gives every replica a
 * turn. Runs on one thread; control talks to it through a queue only.
 */
public final class Sender
{
    private static final int NONE = -1;
    /** Longest wait if a completion queue could not be armed. */
    private static final long UNARMED_WAIT = 50_000;

    private final AgentQueue inbox;
    private final CompletionPoller poller = new CompletionPoller();
    private final PauseWatch pauses = new PauseWatch();
    private OutboundReplica[] byIndex = new OutboundReplica[16];
    private OutboundReplica[] replicas = {};
    private long staleCompletions;

    /** Makes a sender that never waits for long. */
    public Sender()
    {
        this(() ->
        {
        });
    }

    /**
     * @param bell wakes the sender when control has something for it; called on any thread, also when it is awake.
     */
    public Sender(final Runnable bell)
    {
        inbox = new AgentQueue(bell);
    }

    /** Where its completion queues announce themselves. Any thread. */
    void channel(final CompletionChannel channel)
    {
        inbox.add(() -> poller.channel(channel));
    }

    /** Gives the sender a completion queue to poll. Any thread. */
    void add(final CompletionQueue queue)
    {
        inbox.add(() -> poller.add(queue));
    }

    /**
     * Gives the sender a connection to serve. Any thread.
     *
     * @param queue of its completions, which the sender polls already.
     */
    void add(final OutboundReplica replica, final CompletionQueue queue)
    {
        inbox.add(() -> onAdd(replica, queue));
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
        final long away = pauses.begin(now);
        if (away > 0)
        {
            for (int i = 0; i < replicas.length; i++)
            {
                replicas[i].wasAway(away);
            }
        }
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

    /** {@return whether a publication has committed what was not sent yet} On the sender's thread. */
    public boolean hasNews()
    {
        boolean news = false;
        for (int i = 0; i < replicas.length && !news; i++)
        {
            news = replicas[i].hasNews();
        }
        return news;
    }

    /**
     * Arms what wakes the sender: completion queues, and the bells of the rings that it sends, with
     * {@link Bell#WAITER_PIPE}. Afterwards one whole duty cycle must find nothing before the wait; see
     * {@link HybridWait}.
     */
    public void arm()
    {
        poller.arm();
        boolean plain = false;
        boolean hot = false;
        for (final OutboundReplica replica : replicas)
        {
            replica.announce();
            hot |= replica.ring().hotFence();
            plain |= !replica.ring().hotFence();
        }
        if (plain)
        {
            Bell.fence(replicas[0].ring().memory(), false);
        }
        if (hot)
        {
            Bell.fence(replicas[0].ring().memory(), true);
        }
    }

    /**
     * Takes what armed completion queues have announced; bells that were not rung stay armed, which costs their ringer
     * one needless ring.
     *
     * @return whether anything was announced.
     */
    public boolean disarm()
    {
        return poller.drain();
    }

    /**
     * How long the sender may wait after {@link #arm()} and a duty cycle without work: signs of life, confirmations,
     * deadlines, and the peer's feedback, which no event announces, need it by then.
     *
     * @param now nanoseconds of the same clock as the duty cycles'.
     * @return nanoseconds, at least 0.
     */
    public long waitLimit(final long now)
    {
        long limit = poller.isArmed() ? Long.MAX_VALUE : UNARMED_WAIT;
        for (int i = 0; i < replicas.length; i++)
        {
            limit = Math.min(limit, replicas[i].waitLimit(now));
        }
        limit = Math.max(0, limit);
        pauses.waits(now, limit);
        return limit;
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

    private void onAdd(final OutboundReplica replica, final CompletionQueue queue)
    {
        replica.polls().follow(poller.countsOf(queue));
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
