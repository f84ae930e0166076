package io.gannet.driver.stream;

import java.lang.foreign.Arena;

import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.rdma.Access;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;

/**
 * Small registered memory of one connection, in equal slots: buffers of receives, messages and feedback that may not go
 * inline. Not thread-safe.
 */
final class ConnectionMemory implements AutoCloseable
{
    private static final int ALIGNMENT = 64;

    private final Arena arena = Arena.ofShared();
    private final UnsafeBuffer buffer;
    private final MemoryRegion region;
    private final int slotLength;

    ConnectionMemory(final ProtectionDomain domain, final int slots, final int slotLength)
    {
        this.slotLength = slotLength;
        final long length = (long) slots * slotLength;
        final long address = arena.allocate(length, ALIGNMENT).address();
        buffer = new UnsafeBuffer(address, (int) length);
        try
        {
            region = domain.register(address, length, Access.LOCAL_WRITE);
        }
        catch (final RuntimeException ex)
        {
            arena.close();
            throw ex;
        }
    }

    long address(final int slot)
    {
        return buffer.addressOffset() + (long) slot * slotLength;
    }

    /** {@return a view of one slot; allocates} */
    UnsafeBuffer slot(final int slot)
    {
        return new UnsafeBuffer(buffer, slot * slotLength, slotLength);
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    int slotLength()
    {
        return slotLength;
    }

    int lkey()
    {
        return region.lkey();
    }

    /** The queue pair that uses it must have been closed. Who is late finds a buffer of no bytes. */
    @Override
    public void close()
    {
        region.close();
        buffer.wrap(0, 0);
        arena.close();
    }
}
