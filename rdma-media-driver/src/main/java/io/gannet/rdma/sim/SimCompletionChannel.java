package io.gannet.rdma.sim;

import java.util.ArrayList;
import java.util.List;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.Errno;

/**
 * A channel without a descriptor: who waits asks {@link #pending()}.
 */
public final class SimCompletionChannel extends CompletionChannel
{
    private final SimDevice device;
    private final List<SimCompletionQueue> users = new ArrayList<>();
    private int events;

    SimCompletionChannel(final SimDevice device)
    {
        super(device.resources());
        this.device = device;
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
        device.signalled();
    }

    /** {@return whether a completion waits that has raised no event and will raise none} */
    public boolean isMissed()
    {
        return events == 0 && users.stream().anyMatch(SimCompletionQueue::isWaiting);
    }

    void adopt(final SimCompletionQueue queue)
    {
        users.add(queue);
    }

    void release(final SimCompletionQueue queue)
    {
        users.remove(queue);
    }

    @Override
    protected int destroy()
    {
        return users.isEmpty() ? Errno.OK : Errno.EBUSY;
    }
}
