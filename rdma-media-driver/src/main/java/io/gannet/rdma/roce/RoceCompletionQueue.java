package io.gannet.rdma.roce;

import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.Errno;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.rc.CompletionRing;
import java.lang.invoke.VarHandle;

/**
 * A completion queue.
 */
final class RoceCompletionQueue extends CompletionQueue
{
    private final RoceDevice device;
    private final RoceCompletionChannel channel;
    private final CompletionRing ring;
    private volatile boolean armed;
    private long announced;
    private int queuePairs;

    RoceCompletionQueue(final RoceDevice device, final int depth, final RoceCompletionChannel channel)
    {
        super(device.resources());
        this.device = device;
        this.channel = channel;
        ring = new CompletionRing(depth);
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
        armed = true;
        // before the poll that follows, whose load is no volatile one; pairs with the fence in announce
        VarHandle.fullFence();
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

    boolean hasChannel()
    {
        return channel != null;
    }

    /** At the end of a turn of the NIC: signals the channel if something came for an armed queue. */
    void announce()
    {
        final long added = ring.added();
        if (added != announced)
        {
            announced = added;
            // completions before the flag, as the poller stores the flag before it looks for completions
            VarHandle.fullFence();
            if (armed)
            {
                armed = false;
                channel.signal();
            }
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
            device.forget(this);
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
