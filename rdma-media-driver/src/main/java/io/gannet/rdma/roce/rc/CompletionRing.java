package io.gannet.rdma.roce.rc;

import io.gannet.rdma.WorkCompletions;

/**
 * A completion queue: the NIC's thread adds, one thread polls. Polling a completion gives the slots of its work queue
 * back, not before: a caller that does not poll finds its queues full, as with hardware.
 */
public final class CompletionRing
{
    private final Entry[] entries;
    private final int depth;
    private final int mask;
    private final PaddedLong tail = new PaddedLong();
    private final PaddedLong head = new PaddedLong();
    private long cachedHead;
    private volatile boolean overrun;
    private boolean overrunReported;

    /** Makes a queue that holds at least {@code depth} completions. */
    public CompletionRing(final int depth)
    {
        final int size = Queues.sizeFor(depth);
        this.depth = size;
        mask = size - 1;
        entries = new Entry[size];
        for (int i = 0; i < size; i++)
        {
            entries[i] = new Entry();
        }
    }

    /** Completions that fit. */
    public int depth()
    {
        return depth;
    }

    /** Whether a completion was lost; the queue is then useless. */
    public boolean isOverrun()
    {
        return overrun;
    }

    /** Whether the overrun is news. */
    boolean reportOverrun()
    {
        final boolean news = !overrunReported;
        overrunReported = true;
        return news;
    }

    /** Completions ever added; for the NIC's thread. */
    public long added()
    {
        return tail.plain();
    }

    /**
     * Takes completions out, on the polling thread.
     *
     * @return how many were put into {@code completions}.
     */
    public int poll(final WorkCompletions completions)
    {
        final long from = head.plain();
        final long available = tail.acquire() - from;       // pairs with the release in add: entry and placed bytes
        final int count = (int) Math.min(available, completions.capacity());
        for (int i = 0; i < count; i++)
        {
            final Entry entry = entries[(int) (from + i) & mask];
            final SendQueue sendQueue = entry.sendQueue;
            final ReceiveQueue receiveQueue = entry.receiveQueue;
            final long index = entry.index;
            entry.copy(completions, i);
            head.release(from + i + 1);                     // pairs with the acquire in next: it may be overwritten
            // behind the entry: another thread may post into the slot at once, and its completion needs an entry
            if (sendQueue != null)
            {
                sendQueue.reclaim(index);
            }
            else
            {
                receiveQueue.reclaim(index);
            }
        }
        return count;
    }

    /** Adds the completion of a send. {@code index} is its position in the send queue. */
    boolean addSend(
        final SendQueue queue, final long index, final int qpn, final int status, final int opcode, final int length)
    {
        final Entry entry = next();
        if (entry == null)
        {
            return false;
        }
        entry.sendQueue = queue;
        entry.receiveQueue = null;
        entry.index = index;
        entry.set(queue.wrId(index), status, opcode, length, 0, qpn, 0);
        publish();
        return true;
    }

    /** Adds the completion of a receive. {@code index} is its position in the receive queue. */
    boolean addReceive(
        final ReceiveQueue queue,
        final long index,
        final int qpn,
        final int status,
        final int opcode,
        final int length,
        final int imm,
        final int flags)
    {
        final Entry entry = next();
        if (entry == null)
        {
            return false;
        }
        entry.sendQueue = null;
        entry.receiveQueue = queue;
        entry.index = index;
        entry.set(queue.wrId(index), status, opcode, length, imm, qpn, flags);
        publish();
        return true;
    }

    private Entry next()
    {
        final long at = tail.plain();
        if (at - cachedHead == depth)
        {
            cachedHead = head.acquire();                    // pairs with the release in poll
            if (at - cachedHead == depth)
            {
                overrun = true;
                return null;
            }
        }
        return entries[(int) at & mask];
    }

    private void publish()
    {
        tail.release(tail.plain() + 1);                     // pairs with the acquire in poll
    }

    /** One completion. */
    private static final class Entry
    {
        private SendQueue sendQueue;
        private ReceiveQueue receiveQueue;
        private long index;
        private long wrId;
        private int status;
        private int opcode;
        private int length;
        private int imm;
        private int qpn;
        private int flags;

        void set(
            final long wrId,
            final int status,
            final int opcode,
            final int length,
            final int imm,
            final int qpn,
            final int flags)
        {
            this.wrId = wrId;
            this.status = status;
            this.opcode = opcode;
            this.length = length;
            this.imm = imm;
            this.qpn = qpn;
            this.flags = flags;
        }

        void copy(final WorkCompletions completions, final int at)
        {
            completions.set(at, wrId, status, opcode, length, imm, qpn, flags);
        }
    }
}
