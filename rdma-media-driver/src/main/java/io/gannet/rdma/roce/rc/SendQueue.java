package io.gannet.rdma.roce.rc;

import io.gannet.rdma.Errno;
import io.gannet.rdma.SendFlags;
import org.agrona.UnsafeApi;

/**
 * A send queue: the posting thread adds requests and publishes them by {@link #ringDoorbell}; the NIC's thread reads
 * them. A slot is free again once the completion of its request, or of a later one, has been polled.
 */
public final class SendQueue
{
    /** Kind of request: SEND. */
    static final byte SEND = 0;
    /** Kind of request: WRITE. */
    static final byte WRITE = 1;
    /** Kind of request: WRITE with immediate. */
    static final byte WRITE_WITH_IMM = 2;
    /** Kind of request: SEND with immediate. */
    static final byte SEND_WITH_IMM = 3;
    /** Flag of a request, value of {@code IBV_SEND_SOLICITED}. */
    static final int SOLICITED = 4;

    private final int depth;
    private final int mask;
    private final int maxInline;
    private final int maxMessage;
    private final long inlineMemory;

    private final long[] wrIds;
    private final long[] localAddresses;
    private final long[] remoteAddresses;
    private final int[] lengths;
    private final int[] lkeys;
    private final int[] rkeys;
    private final int[] imms;
    private final byte[] kinds;
    private final byte[] flags;

    private final PaddedLong tail = new PaddedLong();
    private final PaddedLong reclaimed = new PaddedLong();

    // the posting thread's
    private long cachedReclaimed;
    private long batchTail;
    private int batchError;
    private int accepted;

    /**
     * Makes a queue for at least {@code depth} requests.
     *
     * @param inlineMemory {@link #inlineBytes} bytes of native memory, the caller's to free.
     */
    public SendQueue(final int depth, final int maxInline, final int maxMessage, final long inlineMemory)
    {
        final int size = Queues.sizeFor(depth);
        this.depth = size;
        this.maxInline = maxInline;
        this.maxMessage = maxMessage;
        this.inlineMemory = inlineMemory;
        mask = size - 1;
        wrIds = new long[size];
        localAddresses = new long[size];
        remoteAddresses = new long[size];
        lengths = new int[size];
        lkeys = new int[size];
        rkeys = new int[size];
        imms = new int[size];
        kinds = new byte[size];
        flags = new byte[size];
    }

    /** Bytes of native memory that a queue needs for inline requests. */
    public static long inlineBytes(final int depth, final int maxInline)
    {
        return (long) Queues.sizeFor(depth) * maxInline;
    }

    /** Requests that fit. */
    public int depth()
    {
        return depth;
    }

    /** Inline bytes of one request. */
    public int maxInline()
    {
        return maxInline;
    }

    /** Adds a SEND to the batch. */
    public void addSend(
        final long wrId, final int sendFlags, final long localAddress, final int length, final int lkey)
    {
        add(SEND, wrId, sendFlags, localAddress, length, lkey, 0, 0, 0);
    }

    /** Adds a SEND with immediate to the batch. */
    public void addSendWithImm(
        final long wrId, final int sendFlags, final long localAddress, final int length, final int lkey, final int imm)
    {
        add(SEND_WITH_IMM, wrId, sendFlags, localAddress, length, lkey, 0, 0, imm);
    }

    /** Adds a WRITE to the batch. */
    public void addWrite(
        final long wrId,
        final int sendFlags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey)
    {
        add(WRITE, wrId, sendFlags, localAddress, length, lkey, remoteAddress, rkey, 0);
    }

    /** Adds a WRITE with immediate to the batch. */
    public void addWriteWithImm(
        final long wrId,
        final int sendFlags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey,
        final int imm)
    {
        add(WRITE_WITH_IMM, wrId, sendFlags, localAddress, length, lkey, remoteAddress, rkey, imm);
    }

    /**
     * Publishes the batch up to the first request that was refused.
     *
     * @return 0, or why a request was refused.
     */
    public int ringDoorbell()
    {
        final int error = batchError;
        final long from = tail.plain();
        accepted = (int) (batchTail - from);
        if (accepted != 0)
        {
            tail.release(batchTail);                        // pairs with the acquire in published()
        }
        batchError = Errno.OK;
        return error;
    }

    /** Drops the batch; nothing of it was accepted. */
    public void dropBatch()
    {
        batchTail = tail.plain();
        batchError = Errno.OK;
        accepted = 0;
    }

    /** Requests that the last doorbell published. */
    public int accepted()
    {
        return accepted;
    }

    /** Called as a completion is polled: its slot and all before it are free. */
    void reclaim(final long index)
    {
        reclaimed.release(index + 1);                       // pairs with the acquire in add
    }

    // ---- the NIC's side ----

    /** Requests published since the queue exists. */
    long published()
    {
        return tail.acquire();                              // pairs with the release in ringDoorbell
    }

    long wrId(final long index)
    {
        return wrIds[(int) index & mask];
    }

    int kind(final long index)
    {
        return kinds[(int) index & mask];
    }

    boolean isSignaled(final long index)
    {
        return (flags[(int) index & mask] & SendFlags.SIGNALED) != 0;
    }

    boolean isSolicited(final long index)
    {
        return (flags[(int) index & mask] & SOLICITED) != 0;
    }

    boolean isInline(final long index)
    {
        return (flags[(int) index & mask] & SendFlags.INLINE) != 0;
    }

    long localAddress(final long index)
    {
        return localAddresses[(int) index & mask];
    }

    long remoteAddress(final long index)
    {
        return remoteAddresses[(int) index & mask];
    }

    int length(final long index)
    {
        return lengths[(int) index & mask];
    }

    int lkey(final long index)
    {
        return lkeys[(int) index & mask];
    }

    int rkey(final long index)
    {
        return rkeys[(int) index & mask];
    }

    int imm(final long index)
    {
        return imms[(int) index & mask];
    }

    private void add(
        final byte kind,
        final long wrId,
        final int sendFlags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey,
        final int imm)
    {
        if (batchError != Errno.OK)
        {
            return;
        }
        final boolean inline = (sendFlags & SendFlags.INLINE) != 0;
        if (length < 0 || length > (inline ? maxInline : maxMessage))
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
        long source = localAddress;
        if (inline && length != 0)
        {
            source = inlineMemory + (long) slot * maxInline;
            UnsafeApi.copyMemory(localAddress, source, length);
        }
        wrIds[slot] = wrId;
        localAddresses[slot] = source;
        remoteAddresses[slot] = remoteAddress;
        lengths[slot] = length;
        lkeys[slot] = lkey;
        rkeys[slot] = rkey;
        imms[slot] = imm;
        kinds[slot] = kind;
        flags[slot] = (byte) sendFlags;
        batchTail++;
    }
}
