package io.gannet.driver.stream;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

import io.gannet.os.LateFault;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.WorkCompletions;
import io.gannet.ring.Bell;

/**
 * Sends what publications have committed: in each duty cycle it takes completions in bulk and gives every active
 * replica a turn. Runs on one thread; control talks to it through a queue only.
 *
 * <p>A replica that has had nothing to do for a while rests: it is visited when its next time has come, for a sign of
 * life or a deadline; when it gets a completion; and when {@link RestingWatch} finds a frame. So a cycle costs what the
 * active ones cost, however many rest.
 *
 * <p>A ring whose file was truncated is a fault of its own replica only: it comes up where that ring was looked at,
 * not in the middle of what is done for the others, and is thrown when the cycle is through.
 */
public final class Sender
{
    /** Resting replicas whose time has come that are visited in one cycle. */
    private static final int MOST_DUE = 16;
    /** Between two fences for replicas that are to rest, which disturb all threads of the system. */
    private static final long REST_INTERVAL = 1_000_000;
    /** Longest wait if a completion queue could not be armed. */
    private static final long UNARMED_WAIT = 50_000;

    private final AgentQueue inbox;
    private final CompletionPoller poller = new CompletionPoller();
    private final PauseWatch pauses = new PauseWatch();
    private OutboundReplica[] byIndex = new OutboundReplica[16];
    /** Those that are not at rest, in front. */
    private OutboundReplica[] active = new OutboundReplica[16];
    private int activeCount;
    private final DeadlineHeap resting = new DeadlineHeap();
    private final RestingWatch watch = new RestingWatch();
    /** Bells rung, by whoever has emptied the pipe. */
    private final AtomicLong rung = new AtomicLong();
    private long rungSeen;
    private long restedAt;
    private long staleCompletions;
    private long visits;
    /** The first that no cycle has thrown yet. */
    private InternalError fault;

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
        inbox.add(() ->
        {
            if (serves(replica))
            {
                wake(replica);
                replica.fail(reason, 0);
            }
        });
    }

    /** Says where a publication ended; the connection comes back once the peer knows. Any thread. */
    void endStream(final OutboundReplica replica, final long position)
    {
        inbox.add(() ->
        {
            if (serves(replica))
            {
                wake(replica);
                replica.endAt(position);
            }
        });
    }

    /** Whether it was not handed back: what control wants of it may come late, and its memory may be gone by then. */
    private boolean serves(final OutboundReplica replica)
    {
        return byIndex[WorkId.index(replica.workBase())] == replica;
    }

    /**
     * A publisher has rung for one of the rings, it is not known which. Any thread; it does not wake the sender, so the
     * caller does that afterwards.
     */
    public void rang()
    {
        rung.incrementAndGet();
    }

    /**
     * One duty cycle.
     *
     * @param now nanoseconds of a monotonic clock.
     * @return how much was done; 0 means idle.
     * @throws InternalError a ring's memory is gone; everything else was done.
     */
    public int doWork(final long now)
    {
        LateFault.meet();       // of others on this thread
        final long away = pauses.begin(now);
        if (away > 0)
        {
            wereAway(away);
        }
        int work = inbox.drain();
        for (int i = 0; i < poller.size(); i++)
        {
            work += takeCompletions(i, now);
        }
        wakeDue(now);
        work += watchResting(now);
        boolean ended = false;
        final boolean restTime = now - restedAt >= REST_INTERVAL;
        boolean mayRest = false;
        for (int i = 0; i < activeCount; i++)
        {
            final OutboundReplica replica = active[i];
            visits++;
            work += send(replica, now);
            ended |= replica.failure() != null;
            if (replica.mayRest(now))
            {
                if (isUnheard(replica))
                {
                    mayRest = restTime;
                }
                else
                {
                    active[i--] = active[--activeCount];
                    active[activeCount] = null;
                    rest(replica, now);
                }
            }
        }
        if (ended)
        {
            work += removeEnded();
        }
        if (mayRest)
        {
            restedAt = now;
            restIdle(now);
        }
        throwFault();
        return work;
    }

    private int send(final OutboundReplica replica, final long now)
    {
        int work = 0;
        try
        {
            work = replica.send(now);
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
        }
        return work;
    }

    private void onFault(final InternalError gone)
    {
        fault = fault == null ? gone : fault;
    }

    private void throwFault()
    {
        final InternalError gone = fault;
        if (gone != null)
        {
            fault = null;
            throw gone;
        }
    }

    private void wereAway(final long nanos)
    {
        for (final OutboundReplica replica : byIndex)
        {
            if (replica != null)
            {
                replica.wasAway(nanos);
            }
        }
    }

    /** With the first whose time has come goes who has little time left, so that one wait ends for many. */
    private void wakeDue(final long now)
    {
        int member = resting.due(now);
        for (int woken = 0; member != DeadlineHeap.NONE && woken < MOST_DUE; woken++)
        {
            wake(byIndex[member]);
            member = resting.due(now + ReplicationSettings.EARLY);
        }
    }

    /** Returns 1 as long as not all were looked at for whom a bell may have rung: nobody rings for them again. */
    private int watchResting(final long now)
    {
        // Pairs with the increment in rang(), which comes before the ringing that ends a wait.
        final long rings = rung.get();
        if (rings != rungSeen)
        {
            rungSeen = rings;
            watch.sweep();
        }
        for (int looks = watch.due(now); looks > 0; looks--)
        {
            final OutboundReplica found = look();
            if (found != null)
            {
                wake(found);
            }
        }
        return watch.isSweeping() ? 1 : 0;
    }

    private OutboundReplica look()
    {
        try
        {
            final OutboundReplica found = watch.look();
            LateFault.meet();
            return found;
        }
        catch (final InternalError gone)
        {
            onFault(gone);
            return watch.looked();
        }
    }

    /** From now on it is visited in each cycle, until it may rest again. */
    private void wake(final OutboundReplica replica)
    {
        final int member = WorkId.index(replica.workBase());
        if (byIndex[member] == replica && resting.contains(member))
        {
            resting.remove(member);
            watch.remove(replica);
            replica.attend();
            activate(replica);
        }
    }

    private void activate(final OutboundReplica replica)
    {
        if (activeCount == active.length)
        {
            active = Arrays.copyOf(active, 2 * activeCount);
        }
        active[activeCount++] = replica;
    }

    /**
     * Lets those rest that may: says at their rings that they are to be rung for, and looks at each once more after the
     * fence, so that whatever comes later rings.
     */
    private void restIdle(final long now)
    {
        boolean plain = false;
        boolean hot = false;
        for (int i = 0; i < activeCount; i++)
        {
            if (active[i].mayRest(now) && active[i].isWatched())
            {
                announceRest(active[i]);
                hot |= active[i].ring().hotFence();
                plain |= !active[i].ring().hotFence();
            }
        }
        fence(plain, hot);
        int kept = 0;
        for (int i = 0; i < activeCount; i++)
        {
            final OutboundReplica replica = active[i];
            if (replica.mayRest(now) && !isUnheard(replica))
            {
                rest(replica, now);
            }
            else
            {
                active[kept++] = replica;
            }
        }
        Arrays.fill(active, kept, activeCount, null);
        activeCount = kept;
    }

    /**
     * Whether a frame may come for which nobody rings, or has come. Whose bell is still armed since its last rest needs
     * no other fence: whoever has committed since then has taken the waiter.
     */
    private boolean isUnheard(final OutboundReplica replica)
    {
        boolean unheard = true;
        try
        {
            unheard = replica.isWatched() && (!replica.isAnnounced() || replica.hasNews());
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
            unheard = true;
        }
        return unheard;
    }

    private void announceRest(final OutboundReplica replica)
    {
        try
        {
            replica.announceRest();
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
        }
    }

    private void rest(final OutboundReplica replica, final long now)
    {
        resting.set(WorkId.index(replica.workBase()), now + replica.waitLimit(now));
        if (replica.isWatched())
        {
            watch.add(replica);
        }
    }

    private void fence(final boolean plain, final boolean hot)
    {
        if (plain)
        {
            Bell.fence(active[0].ring().memory(), false);
        }
        if (hot)
        {
            Bell.fence(active[0].ring().memory(), true);
        }
    }

    /**
     * {@return whether a publication that is not at rest has committed what was not sent yet} On the sender's thread.
     */
    public boolean hasNews()
    {
        boolean news = false;
        for (int i = 0; i < activeCount && !news; i++)
        {
            news = hasNews(active[i]);
        }
        return news;
    }

    private boolean hasNews(final OutboundReplica replica)
    {
        try
        {
            final boolean news = replica.hasNews();
            LateFault.meet();
            return news;
        }
        catch (final InternalError gone)
        {
            onFault(gone);
            return true;
        }
    }

    /**
     * Arms what wakes the sender: completion queues, and the bells of the rings that it sends, with
     * {@link Bell#WAITER_PIPE}; those at rest are armed already. Afterwards one whole
     * duty cycle must find nothing before the wait; see {@link HybridWait}.
     */
    public void arm()
    {
        poller.arm();
        boolean plain = false;
        boolean hot = false;
        for (int i = 0; i < activeCount; i++)
        {
            final OutboundReplica replica = active[i];
            announce(replica);
            hot |= replica.ring().hotFence();
            plain |= !replica.ring().hotFence();
        }
        fence(plain, hot);
    }

    private void announce(final OutboundReplica replica)
    {
        try
        {
            replica.announce();
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
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
        for (int i = 0; i < activeCount; i++)
        {
            limit = Math.min(limit, active[i].waitLimit(now));
        }
        limit = watch.isSweeping() || fault != null ? 0 : Math.max(0, Math.min(limit, resting.dueIn(now)));
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
                wake(replica);
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
        activate(replica);
    }

    private int removeEnded()
    {
        int kept = 0;
        final int before = activeCount;
        for (int i = 0; i < before; i++)
        {
            final OutboundReplica replica = active[i];
            if (replica.failure() == null)
            {
                active[kept++] = replica;
            }
            else
            {
                byIndex[WorkId.index(replica.workBase())] = null;
                replica.ended();
            }
        }
        Arrays.fill(active, kept, before, null);
        activeCount = kept;
        return before - kept;
    }

    /** {@return visits to replicas so far} For tests: a cycle makes one for each that is not at rest. */
    long visits()
    {
        return visits;
    }

    /** {@return looks at the rings of replicas at rest so far} For tests. */
    long looks()
    {
        return watch.looks();
    }

    /** {@return replicas at rest} For tests. */
    int resting()
    {
        return resting.size();
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
