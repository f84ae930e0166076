package io.gannet.rdma.roce;

import io.gannet.os.EventCounter;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.Errno;

/**
 * A completion channel: an eventfd that counts events.
 */
final class RoceCompletionChannel extends CompletionChannel
{
    private final RoceDevice device;
    private final EventCounter events = new EventCounter();
    private int queues;

    RoceCompletionChannel(final RoceDevice device)
    {
        super(device.resources());
        this.device = device;
    }

    @Override
    public int fileDescriptor()
    {
        return events.descriptor();
    }

    @Override
    public int drain()
    {
        return (int) events.drain();
    }

    void signal()
    {
        events.signal();
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
        device.lock().lock();
        try
        {
            if (queues != 0)
            {
                return Errno.EBUSY;
            }
            events.close();
            return Errno.OK;
        }
        finally
        {
            device.lock().unlock();
        }
    }
}
