package io.gannet.rdma.sim;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.Errno;

/**
 * A channel without a descriptor: who waits asks {@link #pending()}.
 */
public final class SimCompletionChannel extends CompletionChannel
{
    private int events;
    private int queues;

    SimCompletionChannel(final SimDevice device)
    {
        super(device.resources());
    }

    @Override
    public int fileDescriptor()
    {
        return -1;
    }

    @Override
    public int drain()
    {
        final int drained = events;
        events = 0;
        return drained;
    }

    /** {@return events that wait, which make the descriptor of a real channel readable} */
    public int pending()
    {
        return events;
    }

    void signal()
    {
        events++;
    }

    void adopt()
    {
        queues++;
    }

    void release()
    {
        queues--;
    }

    @Override
    protected int destroy()
    {
        return queues == 0 ? Errno.OK : Errno.EBUSY;
    }
}
