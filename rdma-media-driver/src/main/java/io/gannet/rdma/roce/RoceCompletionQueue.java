package io.gannet.rdma.roce;

import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.rc.Announcement;
import io.gannet.rdma.roce.rc.CompletionRing;

/**
 * A completion queue.
 */
final class RoceCompletionQueue extends CompletionQueue
{
    private final RoceDevice device;
    private final RoceWorker worker;
    private final RoceCompletionChannel channel;
    private final CompletionRing ring;
    private final Announcement announcement = new Announcement();
    private int queuePairs;

    private RoceCompletionQueue(
        final RoceDevice device, final RoceWorker worker, final int depth, final RoceCompletionChannel channel)
    {
        super(device.resources());
        this.device = device;
        this.worker = worker;
        this.channel = channel;
        ring = new CompletionRing(depth);
    }

    static RoceCompletionQueue create(
        final RoceDevice device, final RoceWorker worker, final int depth, final RoceCompletionChannel channel)
    {
        if (depth < 1 || depth > RoceLimits.MAX_COMPLETIONS)
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a completion queue of " + depth +
                ": a queue has 1 to " + RoceLimits.MAX_COMPLETIONS + " completions");
        }
        device.lock().lock();
        try
        {
            final RoceCompletionQueue queue = new RoceCompletionQueue(device, worker, depth, channel);
            if (channel != null)
            {
                channel.adopt();
                worker.announce(queue);
            }
            return queue;
        }
        finally
        {
            device.lock().unlock();
        }
    }

    @Override
    public int poll(final WorkCompletions completions)
    {
        final int count = ring.poll(completions);
        return count == 0 && ring.isOverrun() ? -Errno.EIO : count;
    }

    @Override
    public int arm()
    {
        if (channel == null)
        {
            return Errno.EINVAL;
        }
        announcement.arm();
        return Errno.OK;
    }

    @Override
    public int depth()
    {
        return ring.depth();
    }

    CompletionRing ring()
    {
        return ring;
    }

    /** At the end of a turn of the NIC: signals the channel if something came for an armed queue. */
    void announce()
    {
        if (announcement.isDue(ring.added()))
        {
            channel.signal();
        }
    }

    void adopt()
    {
        queuePairs++;
    }

    void release()
    {
        queuePairs--;
    }

    @Override
    protected int destroy()
    {
        device.lock().lock();
        try
        {
            if (queuePairs != 0)
            {
                return Errno.EBUSY;
            }
            worker.forget(this);
            if (channel != null)
            {
                channel.release();
            }
            return Errno.OK;
        }
        finally
        {
            device.lock().unlock();
        }
    }
}
