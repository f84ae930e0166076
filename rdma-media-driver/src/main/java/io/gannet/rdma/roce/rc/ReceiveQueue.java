package io.gannet.rdma.roce.rc;

import io.gannet.rdma.Errno;

/**
 * A receive queue: the posting thread adds and publishes, the NIC's thread consumes in order. A slot is free again once
 * its completion has been polled.
 */
public final class ReceiveQueue
{
    private final int depth;
    private final int mask;
    private final long[] wrIds;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] lkeys;
    private final PaddedLong tail = new PaddedLong();
    private final PaddedLong reclaimed = new PaddedLong();

    // the posting thread's
    private long cachedReclaimed;
    private long batchTail;
    private int batchError;
    private int accepted;

    // the NIC's
    private long head;

    /** Makes a queue for at least {@code depth} receives. */
    public ReceiveQueue(final int depth)
    {
        final int size = Queues.sizeFor(depth);
        this.depth = size;
        mask = size - 1;
        wrIds = new long[size];
        addresses = new long[size];
        lengths = new int[size];
        lkeys = new int[size];
    }

    /** Receives that fit. */
    public int depth()
    {
        return depth;
    }

    /** Adds a receive to the batch. */
    public void add(final long wrId, final long address, final int length, final int lkey)
    {
        if (batchError != Errno.OK)
        {
            return;
        }
        if (length < 0)
        {
            batchError = Errno.EINVAL;
            return;
        }
        if (batchTail - cachedReclaimed == depth)
        {
            cachedReclaimed = reclaimed.acquire();          // pairs with the release in reclaim
            if (batchTail - cachedReclaimed == depth)
            {
                batchError = Errno.ENOMEM;
                return;
            }
        }
        final int slot = (int) batchTail & mask;
        wrIds[slot] = wrId;
        addresses[slot] = address;
        lengths[slot] = length;
        lkeys[slot] = lkey;
        batchTail++;
    }

    /**
     * Publishes the batch up to the first receive that was refused.
     *
     * @return 0, or why a receive was refused.
     */
    public int post()
    {
        final int error = batchError;
        final long from = tail.plain();
        accepted = (int) (batchTail - from);
        if (accepted != 0)
        {
            tail.release(batchTail);                        // pairs with the acquire in available()
        }
        batchError = Errno.OK;
        return error;
    }

    /** Receives that the last {@link #post} published. */
    public int accepted()
    {
        return accepted;
    }

    /** Called as a completion is polled: its slot is free. */
    void reclaim(final long index)
    {
        reclaimed.release(index + 1);                       // pairs with the acquire in add
    }

    // ---- the NIC's side ----

    /** Receives that are posted and not consumed. */
    int available()
    {
        return (int) (tail.acquire() - head);               // pairs with the release in post
    }

    /** Position of the next receive. */
    long head()
    {
        return head;
    }

    void consume()
    {
        head++;
    }

    long wrId(final long index)
    {
        return wrIds[(int) index & mask];
    }

    long address(final long index)
    {
        return addresses[(int) index & mask];
    }

    int length(final long index)
    {
        return lengths[(int) index & mask];
    }

    int lkey(final long index)
    {
        return lkeys[(int) index & mask];
    }
}
