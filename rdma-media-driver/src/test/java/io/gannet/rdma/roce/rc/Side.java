package io.gannet.rdma.roce.rc;

import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One queue pair with queues, memory and a sink that records, for tests.
 */
final class Side
{
    static final Object DOMAIN = new Object();
    static final int DEPTH = 1024;
    static final int INLINE = 256;

    final Arena arena = Arena.ofAuto();
    final Counters counters = new Counters();
    final Regions regions;
    final RecordingSink sink = new RecordingSink();
    final CompletionRing sendCompletions = new CompletionRing(DEPTH);
    final CompletionRing receiveCompletions = new CompletionRing(DEPTH);
    final SendQueue sends;
    final ReceiveQueue receives = new ReceiveQueue(DEPTH);
    final List<AsyncEventType> events = new ArrayList<>();
    final RcQueuePair queuePair;
    final MemorySegment memory;
    final Region region;
    private final MemorySegment inline;

    Side(final int qpn, final Tuning tuning, final int minRnrTimer, final int memorySize, final int access)
    {
        regions = new Regions(new Random(qpn));
        inline = arena.allocate(SendQueue.inlineBytes(DEPTH, INLINE), 64);
        memory = arena.allocate(memorySize, 64);
        region = regions.register(memory.address(), memorySize, access, DOMAIN);
        sends = new SendQueue(DEPTH, INLINE, 1 << 30, inline.address());
        queuePair = new RcQueuePair(
            qpn, DOMAIN, regions, sends, sendCompletions, receives, receiveCompletions, minRnrTimer, tuning, counters,
            (type, number, ring) -> events.add(type));
    }

    void fill(final long offset, final byte[] bytes)
    {
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    byte[] read(final long offset, final int length)
    {
        return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    void postReceives(final int count, final int size)
    {
        for (int i = 0; i < count; i++)
        {
            receives.add(i, region.address(), size, region.lkey());
        }
        receives.post();
    }

    List<Wc> pollSends()
    {
        return poll(sendCompletions);
    }

    List<Wc> pollReceives()
    {
        return poll(receiveCompletions);
    }

    private static List<Wc> poll(final CompletionRing ring)
    {
        final WorkCompletions completions = new WorkCompletions(16);
        final List<Wc> list = new ArrayList<>();
        int count = ring.poll(completions);
        while (count != 0)
        {
            for (int i = 0; i < count; i++)
            {
                list.add(new Wc(
                    completions.wrId(i), completions.status(i), completions.opcode(i), completions.byteLength(i),
                    completions.hasImm(i) ? completions.imm(i) : 0));
            }
            count = ring.poll(completions);
        }
        return list;
    }

    /** A completion. */
    record Wc(long wrId, int status, int opcode, int length, int imm)
    {
    }
}
