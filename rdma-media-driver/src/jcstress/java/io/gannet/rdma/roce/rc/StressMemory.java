package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** Native memory for states, which are made by the million: in turn from a slab far larger than a stride needs. */
final class StressMemory
{
    /** Bytes of a state. */
    static final int SIZE = 128;

    private static final int SLOTS = 1 << 13;
    private static final UnsafeBuffer SLAB = new UnsafeBuffer(ByteBuffer.allocateDirect(SLOTS * SIZE));
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final ThreadLocal<WorkCompletions> COMPLETIONS =
        ThreadLocal.withInitial(() -> new WorkCompletions(1));

    private StressMemory()
    {
    }

    /** Address of zeroed bytes. */
    static long take()
    {
        final long address = SLAB.addressOffset() + (long) (NEXT.getAndIncrement() & (SLOTS - 1)) * SIZE;
        UnsafeApi.setMemory(address, SIZE, (byte) 0);
        return address;
    }

    /** The calling actor's. */
    static WorkCompletions completions()
    {
        return COMPLETIONS.get();
    }
}
