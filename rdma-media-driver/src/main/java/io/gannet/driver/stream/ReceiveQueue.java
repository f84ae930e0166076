package io.gannet.driver.stream;

import io.gannet.rdma.Errno;
import io.gannet.rdma.QueuePair;

/**
 * The receives of one connection: each has a slot of memory, is posted again when it was used, and is counted. The
 * count of receives posted in all is the credit that the peer gets. Not thread-safe: owned by the receiver.
 */
final class ReceiveQueue
{
    /** Bytes of a slot: a control message fits. */
    static final int SLOT_LENGTH = 64;

    private static final int MAX_CHAIN = 16;

    private final ConnectionMemory memory;
    private final int depth;
    private final int[] free;
    private final boolean[] isPosted;
    private int freeCount;
    private long posted;
    private int outstanding;

    /**
     * @param memory with at least {@code depth} slots of {@link #SLOT_LENGTH} bytes.
     */
    ReceiveQueue(final ConnectionMemory memory, final int depth)
    {
        this.memory = memory;
        this.depth = depth;
        free = new int[depth];
        isPosted = new boolean[depth];
        for (int i = 0; i < depth; i++)
        {
            free[i] = depth - 1 - i;
        }
        freeCount = depth;
    }

    /** {@return whether that slot was posted, which it now no longer is} */
    boolean onUsed(final int slot)
    {
        if (slot < 0 || slot >= depth || !isPosted[slot])
        {
            return false;
        }
        isPosted[slot] = false;
        free[freeCount++] = slot;
        outstanding--;
        return true;
    }

    /** A request failed or was flushed; if it was a receive, it is no longer posted. */
    void onLost(final int slot)
    {
        onUsed(slot);
    }

    /**
     * Posts again what was used, once there is a chain of it.
     *
     * @return 0 or a positive error number.
     */
    int repost(final QueuePair queuePair, final long workBase)
    {
        int errno = Errno.OK;
        while (errno == Errno.OK && freeCount >= Math.min(MAX_CHAIN, depth / 8))
        {
            errno = post(queuePair, workBase);
        }
        return errno;
    }

    /**
     * Posts everything, before the connection is made.
     *
     * @return 0 or a positive error number.
     */
    int postAll(final QueuePair queuePair, final long workBase)
    {
        int errno = Errno.OK;
        while (errno == Errno.OK && freeCount > 0)
        {
            errno = post(queuePair, workBase);
        }
        return errno;
    }

    private int post(final QueuePair queuePair, final long workBase)
    {
        final int count = Math.min(freeCount, MAX_CHAIN);
        for (int i = 0; i < count; i++)
        {
            final int slot = free[freeCount - 1 - i];
            queuePair.addReceive(WorkId.of(workBase, slot), memory.address(slot), SLOT_LENGTH, memory.lkey());
        }
        final int errno = queuePair.postReceives();
        final int accepted = errno == Errno.OK ? count : queuePair.acceptedReceives();
        for (int i = 0; i < accepted; i++)
        {
            isPosted[free[--freeCount]] = true;
        }
        posted += accepted;
        outstanding += accepted;
        return errno;
    }

    long address(final int slot)
    {
        return memory.address(slot);
    }

    /** {@return receives posted in all} */
    long posted()
    {
        return posted;
    }

    /** {@return receives posted and not completed} */
    int outstanding()
    {
        return outstanding;
    }
}
