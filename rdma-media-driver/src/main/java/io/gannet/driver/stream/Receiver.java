package io.gannet.driver.stream;

import java.util.Arrays;

import io.gannet.os.LateFault;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.WorkCompletions;

/**
 * Receives into images: in each duty cycle it takes completions in bulk, publishes received positions, and lets every
 * active image post receives and write feedback. Runs on one thread; control talks to it through a queue only.
 *
 * <p>An image for which nothing has come for a while rests: it is visited when its next time has come, for a sign of
 * life, a deadline, or a look at its subscribers, and when it gets a completion. So a cycle costs what the active ones
 * cost, however many rest.
 *
 * <p>A ring whose file was truncated is a fault of its own image only: it comes up where that one's ring was used, not
 * in the middle of what is done for the others, and is thrown when the cycle is through.
 */
public final class Receiver
{
    /** Resting images whose time has come that are visited in one cycle. */
    private static final int MOST_DUE = 16;
    /** Longest wait if a completion queue could not be armed. */
    private static final long UNARMED_WAIT = 50_000;

    private final AgentQueue inbox;
    private final CompletionPoller poller = new CompletionPoller();
    private final PauseWatch pauses = new PauseWatch();
    private InboundImage[] byIndex = new InboundImage[16];
    /** Those that are not at rest, in front. */
    private InboundImage[] active = new InboundImage[16];
    private int activeCount;
    private final DeadlineHeap resting = new DeadlineHeap();
    private long visits;
    private long staleCompletions;
    private boolean delivered;
    /** The first that no cycle has thrown yet. */
    private InternalError fault;

    /** Makes a receiver that never waits for long. */
    public Receiver()
    {
        this(() ->
        {
        });
    }

    /**
     * @param bell wakes the receiver when control has something for it; called on any thread, also when it is awake.
     */
    public Receiver(final Runnable bell)
    {
        inbox = new AgentQueue(bell);
    }

    /** Where its completion queues announce themselves. Any thread. */
    void channel(final CompletionChannel channel)
    {
        inbox.add(() -> poller.channel(channel));
    }

    /** Gives the receiver a completion queue to poll. Any thread. */
    void add(final CompletionQueue queue)
    {
        inbox.add(() -> poller.add(queue));
    }

    /**
     * Gives the receiver a connection to serve. Any thread.
     *
     * @param queue of its completions, which the receiver polls already.
     */
    void add(final InboundImage image, final CompletionQueue queue)
    {
        inbox.add(() -> onAdd(image, queue));
    }

    /** The image's subscribers are in its gating list. Any thread. */
    void open(final InboundImage image)
    {
        inbox.add(() ->
        {
            if (serves(image))
            {
                wake(image);
                tellOpen(image);
            }
        });
    }

    private void tellOpen(final InboundImage image)
    {
        try
        {
            image.open();
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
        }
    }

    private void onFault(final InternalError gone)
    {
        fault = fault == null ? gone : fault;
    }

    /** Lets the receiver cut a connection off, which then comes back as ended. Any thread. */
    void end(final InboundImage image, final FailureKind reason)
    {
        inbox.add(() ->
        {
            if (serves(image))
            {
                wake(image);
                image.fail(reason, 0);
            }
        });
    }

    /** Whether it was not handed back: what control wants of it may come late, and its ring may be gone by then. */
    private boolean serves(final InboundImage image)
    {
        return byIndex[WorkId.index(image.workBase())] == image;
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
        delivered = false;
        for (int i = 0; i < poller.size(); i++)
        {
            work += takeCompletions(i, now);
        }
        wakeDue(now);
        boolean drained = false;
        for (int i = 0; i < activeCount; i++)
        {
            final InboundImage image = active[i];
            work += maintain(image, now);
            if (image.failure() != null)
            {
                if (!image.isDraining())
                {
                    image.cutOff(now);
                    work++;
                }
                drained |= image.isDrained(now);
            }
            else
            {
                final long rest = restLimit(image, now);
                if (rest > 0)
                {
                    rest(i--, now + rest);
                }
            }
        }
        visits += activeCount;
        work += drained ? removeDrained(now) : 0;
        final InternalError gone = fault;
        if (gone != null)
        {
            fault = null;
            throw gone;
        }
        return work;
    }

    private int maintain(final InboundImage image, final long now)
    {
        int work = 0;
        try
        {
            work = image.maintain(now);
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
        }
        return work;
    }

    /** Nanoseconds for which an image may rest, 0 if it may not. */
    private long restLimit(final InboundImage image, final long now)
    {
        long limit;
        try
        {
            limit = image.mayRest(now) ? image.waitLimit(now) : 0;
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
            limit = 0;
        }
        return limit;
    }

    private void wereAway(final long nanos)
    {
        for (final InboundImage image : byIndex)
        {
            if (image != null)
            {
                image.wasAway(nanos);
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

    /** From now on it is visited in each cycle, until it may rest again. */
    private void wake(final InboundImage image)
    {
        final int member = WorkId.index(image.workBase());
        if (byIndex[member] == image && resting.contains(member))
        {
            resting.remove(member);
            image.attend();
            activate(image);
        }
    }

    private void rest(final int place, final long until)
    {
        resting.set(WorkId.index(active[place].workBase()), until);
        visits++;
        active[place] = active[--activeCount];
        active[activeCount] = null;
    }

    private void activate(final InboundImage image)
    {
        if (activeCount == active.length)
        {
            active = Arrays.copyOf(active, 2 * activeCount);
        }
        active[activeCount++] = image;
    }

    /** {@return whether the last duty cycle brought subscribers something} */
    public boolean hasDelivered()
    {
        return delivered;
    }

    /**
     * Arms the completion queues, which wake the receiver. Afterwards one whole duty cycle must find nothing before the
     * wait; see {@link HybridWait}.
     */
    public void arm()
    {
        poller.arm();
        for (int i = 0; i < activeCount; i++)
        {
            active[i].announce();
        }
    }

    /**
     * Takes what armed completion queues have announced.
     *
     * @return whether there was anything.
     */
    public boolean disarm()
    {
        return poller.drain();
    }

    /**
     * How long the receiver may wait after {@link #arm()} and a duty cycle without work: signs of life, deadlines, and
     * the progress of subscribers, which no event announces, need it by then.
     *
     * @param now nanoseconds of the same clock as the duty cycles'.
     * @return nanoseconds, at least 0.
     */
    public long waitLimit(final long now)
    {
        long limit = poller.isArmed() ? Long.MAX_VALUE : UNARMED_WAIT;
        for (int i = 0; i < activeCount; i++)
        {
            limit = Math.min(limit, waitLimit(active[i], now));
        }
        limit = fault != null ? 0 : Math.max(0, Math.min(limit, resting.dueIn(now)));
        pauses.waits(now, limit);
        return limit;
    }

    private long waitLimit(final InboundImage image, final long now)
    {
        long limit;
        try
        {
            limit = image.waitLimit(now);
            LateFault.meet();
        }
        catch (final InternalError gone)
        {
            onFault(gone);
            limit = 0;
        }
        return limit;
    }

    private int takeCompletions(final int queue, final long now)
    {
        final int count = poller.poll(queue);
        final WorkCompletions completions = poller.completions();
        for (int i = 0; i < count; i++)
        {
            final long wrId = completions.wrId(i);
            final InboundImage image = imageOf(wrId);
            if (image == null)
            {
                staleCompletions++;
                continue;
            }
            wake(image);
            final long before = image.received();
            try
            {
                image.onCompletion(
                    wrId,
                    completions.status(i),
                    completions.opcode(i),
                    completions.byteLength(i),
                    completions.imm(i),
                    now);
                LateFault.meet();
            }
            catch (final InternalError gone)
            {
                onFault(gone);
            }
            delivered |= image.received() != before;
        }
        return Math.max(count, 0);
    }

    private InboundImage imageOf(final long wrId)
    {
        final int index = WorkId.index(wrId);
        final InboundImage image = index < byIndex.length ? byIndex[index] : null;
        return image != null && WorkId.isOf(wrId, image.workBase()) ? image : null;
    }

    private void onAdd(final InboundImage image, final CompletionQueue queue)
    {
        image.polls().follow(poller.countsOf(queue));
        final int index = WorkId.index(image.workBase());
        if (index >= byIndex.length)
        {
            byIndex = Arrays.copyOf(byIndex, Math.max(index + 1, 2 * byIndex.length));
        }
        byIndex[index] = image;
        activate(image);
    }

    private int removeDrained(final long now)
    {
        final int before = activeCount;
        int kept = 0;
        for (int i = 0; i < before; i++)
        {
            final InboundImage image = active[i];
            if (image.isDrained(now))
            {
                byIndex[WorkId.index(image.workBase())] = null;
                image.ended();
            }
            else
            {
                active[kept++] = image;
            }
        }
        Arrays.fill(active, kept, before, null);
        activeCount = kept;
        return before - kept;
    }

    /** {@return visits to images so far} For tests: a cycle makes one for each that is not at rest. */
    long visits()
    {
        return visits;
    }

    /** {@return images at rest} For tests. */
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
