package io.gannet.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One host of a conformance test: a device with registered memory, a completion queue and at most one connection.
 */
final class ConformancePeer implements AutoCloseable
{
    static final int MEMORY = 1 << 20;
    static final int SEND_DEPTH = 16;
    static final int RECEIVE_DEPTH = 32;

    final RdmaDevice device;
    final Arena arena = Arena.ofShared();
    final MemorySegment memory = arena.allocate(MEMORY, 64);
    final ProtectionDomain domain;
    final MemoryRegion region;
    final CompletionQueue queue;
    final Deque<CmEvent> events = new ArrayDeque<>();
    final List<Done> done = new ArrayList<>();
    CmListener listener;
    CmId id;
    QueuePair queuePair;
    private final WorkCompletions completions = new WorkCompletions(8);

    ConformancePeer(final RdmaDevice device)
    {
        this.device = device;
        domain = device.allocateProtectionDomain();
        region = domain.register(memory.address(), MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        queue = device.createCompletionQueue(256, null);
    }

    record Done(long wrId, int status, int opcode, int length, int imm, boolean hasImm, int qpNum)
    {
    }

    QpAttributes attributes()
    {
        return new QpAttributes(queue, queue, SEND_DEPTH, RECEIVE_DEPTH, 220, 1);
    }

    void makeQueuePair()
    {
        queuePair = id.createQueuePair(domain, attributes());
    }

    void postReceives(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            queuePair.addReceive(1000 + i, memory.address() + MEMORY - (i + 1) * 64L, 64, region.lkey());
        }
        if (queuePair.postReceives() != Errno.OK)
        {
            throw new AssertionError("receives refused");
        }
    }

    void poll()
    {
        device.doWork();
        device.connectionManager().pollEvents(events::add);
        final int count = queue.poll(completions);
        for (int i = 0; i < count; i++)
        {
            done.add(new Done(
                completions.wrId(i),
                completions.status(i),
                completions.opcode(i),
                completions.byteLength(i),
                completions.imm(i),
                completions.hasImm(i),
                completions.qpNum(i)));
        }
    }

    boolean saw(final CmEventType type)
    {
        return events.stream().anyMatch(event -> event.type() == type);
    }

    CmEvent event(final CmEventType type)
    {
        return events.stream().filter(event -> event.type() == type).findFirst().orElseThrow();
    }

    byte byteAt(final long offset)
    {
        return memory.get(ValueLayout.JAVA_BYTE, offset);
    }

    void fill(final long offset, final int length, final int from)
    {
        for (int i = 0; i < length; i++)
        {
            memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (from + i * 7));
        }
    }

    boolean holds(final long offset, final int length, final int from)
    {
        for (int i = 0; i < length; i++)
        {
            if (byteAt(offset + i) != (byte) (from + i * 7))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close()
    {
        if (queuePair != null)
        {
            queuePair.close();
        }
        if (id != null)
        {
            id.close();
        }
        if (listener != null)
        {
            listener.close();
        }
        queue.close();
        region.close();
        domain.close();
        device.close();
        arena.close();
    }
}
