package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvCompChannel;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;

/**
 * A completion channel: an {@code ibv_comp_channel} whose descriptor does not block.
 */
final class VerbsCompletionChannel extends CompletionChannel
{
    private final VerbsDevice device;
    private final long handle;
    /** Queue and its context, of the event read last. */
    private final MemorySegment event = Arena.ofAuto().allocate(2 * ValueLayout.JAVA_LONG.byteSize(), 8);
    private final AtomicInteger queues = new AtomicInteger();

    VerbsCompletionChannel(final VerbsDevice device, final long handle)
    {
        super(device.resources());
        this.device = device;
        this.handle = handle;
    }

    @Override
    public int fileDescriptor()
    {
        return UnsafeApi.getInt(handle + IbvCompChannel.FD);
    }

    @Override
    public int drain()
    {
        final RdmaLibrary library = device.library();
        final long queue = event.address();
        int count = 0;
        while (library.getCqEvent.succeeds(handle, queue, queue + Long.BYTES))
        {
            // At once: a queue with an event that is not acknowledged cannot be destroyed.
            library.ackCqEvents.succeeds(UnsafeApi.getLong(queue), 1, 0);
            count++;
        }
        return count;
    }

    long handle()
    {
        return handle;
    }

    void adopt()
    {
        queues.incrementAndGet();
    }

    void release()
    {
        queues.decrementAndGet();
    }

    @Override
    protected int destroy()
    {
        return queues.get() != 0 ? Errno.EBUSY :
            device.closing(device.library().destroyCompChannel.status(handle));
    }
}
