package io.gannet.driver.stream;

import java.util.Arrays;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.WorkCompletions;

/**
 * Receives into images: in each duty cycle it takes completions in bulk, publishes received positions, and lets every
 * image post receives and write feedback. Runs on one thread; control talks to it through a queue only.
 */
public final class Receiver
{
    private static final int NONE = -1;
    /** Longest wait if a completion queue could not be armed. */
    private static final long UNARMED_WAIT = 50_000;

    private final AgentQueue inbox;
    private final CompletionPoller poller = new CompletionPoller();
    private final PauseWatch pauses = new PauseWatch();
    private InboundImage[] byIndex = new InboundImage[16];
    private InboundImage[] images = {};
    private long staleCompletions;
    private boolean delivered;

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
        inbox.add(image::open);
    }

    /** Lets the receiver cut a connection off, which then comes back as ended. Any thread. */
    void end(final InboundImage image, final FailureKind reason)
    {
        inbox.add(() -> image.fail(reason, 0));
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
            for (int i = 0; i < images.length; i++)
            {
                images[i].wasAway(away);
            }
        }
        int work = inbox.drain();
        delivered = false;
        for (int i = 0; i < poller.size(); i++)
        {
            work += takeCompletions(i, now);
        }
        int ended = NONE;
        for (int i = 0; i < images.length; i++)
        {
            final InboundImage image = images[i];
            work += image.maintain(now);
            if (image.failure() != null)
            {
                if (!image.isDraining())
                {
                    image.cutOff(now);
                    work++;
                }
                ended = image.isDrained(now) ? i : ended;
            }
        }
        return ended == NONE ? work : work + removeDrained(now);
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
        for (final InboundImage image : images)
        {
            image.announce();
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
        for (int i = 0; i < images.length; i++)
        {
            limit = Math.min(limit, images[i].waitLimit(now));
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
            final InboundImage image = imageOf(wrId);
            if (image == null)
            {
                staleCompletions++;
                continue;
            }
            final long before = image.received();
            image.onCompletion(
                wrId,
                completions.status(i),
                completions.opcode(i),
                completions.byteLength(i),
                completions.imm(i),
                now);
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
        images = Arrays.copyOf(images, images.length + 1);
        images[images.length - 1] = image;
    }

    private int removeDrained(final long now)
    {
        final InboundImage[] ended =
            Arrays.stream(images).filter(image -> image.isDrained(now)).toArray(InboundImage[]::new);
        images = Arrays.stream(images).filter(image -> !image.isDrained(now)).toArray(InboundImage[]::new);
        for (final InboundImage image : ended)
        {
            byIndex[WorkId.index(image.workBase())] = null;
            image.ended();
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
