package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvSendWr;
import static io.gannet.rdma.verbs.Abi.IbvSge;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.rdma.Errno;
import io.gannet.rdma.SendFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;

/**
 * The sends of one queue pair: a batch that waits for the doorbell, as an array of {@code ibv_send_wr}, each with its
 * one {@code ibv_sge}; and the queue's slots, counted from what was posted and what polled completions have confirmed,
 * never from what the device takes: some take more than their depth, and some free slots before anything was polled.
 * One thread posts, one polls.
 *
 * <p>Completions come in the order of requests, so the queue of the signaled ones' numbers tells what each confirms,
 * whatever the caller's {@code wr_id} means. This is the hottest path there is: a post of one request has about 60
 * instructions here, beside some hundred of a provider.
 */
final class SendQueue
{
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    /** Of a request's {@code ibv_sge}: on the cache line behind it. */
    private static final int BUFFER = IbvSendWr.SIZE;
    private static final int STRIDE = 2 * IbvSendWr.SIZE;

    private final int depth;
    private final int maxInline;
    private final int maxMessage;
    private final MemorySegment memory;
    private final long requests;
    /** Numbers of signaled requests that no completion has confirmed. */
    private final long[] signaled;
    private final int mask;
    /** Requests of the batch that were not refused. */
    private int count;
    /** What {@link #count} may reach; less than the depth once one was refused. */
    private int most;
    private int refusal;
    private long posted;
    /** Slots known to be free; none while a request of the batch is refused, so that a post looks at one number. */
    private int free;
    private long tail;
    /** Number of the last request that a polled completion covers. */
    private final PolledCount reclaimed = new PolledCount();

    /**
     * @param depth requests in the queue at once, and in a batch; more are refused.
     */
    SendQueue(final int depth, final int maxInline, final int maxMessage)
    {
        this.depth = depth;
        this.maxInline = maxInline;
        this.maxMessage = maxMessage;
        most = depth;
        free = depth;
        // A power of two above all numbers that can wait: those of a full queue and those of a batch.
        signaled = new long[Integer.highestOneBit(2 * depth) * 2];
        mask = signaled.length - 1;
        memory = Arena.ofAuto().allocate((long) depth * STRIDE, 64);
        requests = memory.address();
        for (int i = 0; i < depth; i++)
        {
            UnsafeApi.putLong(at(i) + IbvSendWr.SG_LIST, at(i) + BUFFER);
        }
    }

    /** Adds a request; one that is refused is dropped with all that follow in this batch. Poster. */
    void add(
        final int opcode,
        final long wrId,
        final int flags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey,
        final int imm)
    {
        final int index = count;
        final int limit = (flags & SendFlags.INLINE) != 0 ? maxInline : maxMessage;
        if (index >= most || Integer.compareUnsigned(length, limit) > 0)
        {
            refuse(index);
            return;
        }
        final long request = at(index);
        UnsafeApi.putLong(request + IbvSendWr.WR_ID, wrId);
        UnsafeApi.putLong(request + IbvSendWr.NEXT, 0);
        UnsafeApi.putInt(request + IbvSendWr.NUM_SGE, length == 0 ? 0 : 1);
        UnsafeApi.putInt(request + IbvSendWr.OPCODE, opcode);
        UnsafeApi.putInt(request + IbvSendWr.SEND_FLAGS, flags);
        UnsafeApi.putInt(request + IbvSendWr.IMM_DATA, Integer.reverseBytes(imm));
        UnsafeApi.putLong(request + IbvSendWr.WR_RDMA_REMOTE_ADDR, remoteAddress);
        UnsafeApi.putInt(request + IbvSendWr.WR_RDMA_RKEY, rkey);
        UnsafeApi.putLong(request + BUFFER + IbvSge.ADDR, localAddress);
        UnsafeApi.putInt(request + BUFFER + IbvSge.LENGTH, length);
        UnsafeApi.putInt(request + BUFFER + IbvSge.LKEY, lkey);
        if (index != 0)
        {
            UnsafeApi.putLong(request - STRIDE + IbvSendWr.NEXT, request);
        }
        count = index + 1;
        if ((flags & SendFlags.SIGNALED) != 0)
        {
            // Pairs with the acquire in confirm.
            ELEMENT.setRelease(signaled, (int) tail & mask, posted + count);
            tail++;
        }
    }

    private void refuse(final int index)
    {
        if (refusal == Errno.OK)
        {
            refusal = index >= depth ? Errno.ENOMEM : Errno.EINVAL;
            most = index;
            free = 0;
        }
    }

    void addWrite(
        final long wrId,
        final int flags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey)
    {
        add(Value.WR_RDMA_WRITE, wrId, flags, localAddress, length, lkey, remoteAddress, rkey, 0);
    }

    void addSend(final long wrId, final int flags, final long localAddress, final int length, final int lkey)
    {
        add(Value.WR_SEND, wrId, flags, localAddress, length, lkey, 0, 0, 0);
    }

    /** {@return requests of the batch that were not refused} */
    int count()
    {
        return count;
    }

    /** {@return why requests of the batch were refused, or {@link Errno#OK}} */
    int refusal()
    {
        return refusal;
    }

    /**
     * Ends the batch as posted, before the device is asked, so that little is left to do behind the call.
     *
     * @return how many were posted; 0, and nothing is done, unless the batch has something, none of it is refused and
     *         all of it goes into slots {@linkplain #findRoom found} to be free. Poster.
     */
    int take()
    {
        final int size = count;
        // Unsigned, so that an empty batch is refused as well.
        if (Integer.compareUnsigned(size - 1, free) >= 0)
        {
            return 0;
        }
        free -= size;
        posted += size;
        count = 0;
        return size;
    }

    /** Looks for free slots; whether {@link #take} takes the batch now. Poster. */
    boolean findRoom()
    {
        free = refusal == Errno.OK ? Math.max(free(), 0) : 0;
        return count > 0 && count <= free;
    }

    /** {@return slots free now} Poster. */
    int free()
    {
        return (int) (reclaimed.get() + depth - posted);
    }

    /** {@return the start of the batch's chain} */
    long chain()
    {
        return requests;
    }

    /** Ends the chain behind that many requests, at least 1. */
    void cut(final int length)
    {
        UnsafeApi.putLong(at(length - 1) + IbvSendWr.NEXT, 0);
    }

    /** A batch that {@link #take} ended was refused: its first requests were taken, the rest is dropped. Poster. */
    void refused(final int size, final int taken)
    {
        posted -= size;
        posted(taken);
    }

    /** Ends a batch: its first requests were taken, the rest is dropped. Poster. */
    void posted(final int taken)
    {
        posted += taken;
        free = 0;
        while (tail > 0 && signaled[(int) (tail - 1) & mask] > posted)
        {
            tail--;
        }
        count = 0;
        most = depth;
        refusal = Errno.OK;
    }

    /** A successful completion was polled. Poller. */
    void confirm()
    {
        // The completion itself tells that the number was stored before.
        final long number = (long) ELEMENT.getAcquire(signaled, (int) reclaimed.nextCompletion() & mask);
        reclaimed.set(number);
    }

    /**
     * {@return which request is at an address that the provider named, or -1 if none below the limit is}
     */
    int indexOf(final long address, final int limit)
    {
        final long offset = address - requests;
        return offset >= 0 && offset < (long) limit * STRIDE && offset % STRIDE == 0 ? (int) (offset / STRIDE) : -1;
    }

    private long at(final int index)
    {
        return requests + (long) index * STRIDE;
    }

    @Override
    public String toString()
    {
        return count + " sends in " + memory.byteSize() + " bytes";
    }
}
