package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvSendWr;
import static io.gannet.rdma.verbs.Abi.IbvSge;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.rdma.Errno;
import io.gannet.rdma.SendFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * The sends of one queue pair that wait for the doorbell: an array of {@code ibv_send_wr}, linked once and for all,
 * each with its one {@code ibv_sge}. Owned by the posting thread.
 */
final class SendBatch
{
    private final int capacity;
    private final int maxInline;
    private final int maxMessage;
    private final MemorySegment memory;
    private final long requests;
    private final long buffers;
    private int count;
    private int refusal;

    /**
     * @param capacity requests; more in one batch are refused.
     */
    SendBatch(final int capacity, final int maxInline, final int maxMessage)
    {
        this.capacity = capacity;
        this.maxInline = maxInline;
        this.maxMessage = maxMessage;
        memory = Arena.ofAuto().allocate((long) capacity * (IbvSendWr.SIZE + IbvSge.SIZE), 128);
        requests = memory.address();
        buffers = requests + (long) capacity * IbvSendWr.SIZE;
        for (int i = 0; i < capacity; i++)
        {
            UnsafeApi.putLong(at(i) + IbvSendWr.SG_LIST, buffers + (long) i * IbvSge.SIZE);
            link(i);
        }
    }

    /**
     * Adds a request.
     *
     * @return false if it is refused, with all that follow in this batch.
     */
    boolean add(
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
        if (refusal != Errno.OK)
        {
            return false;
        }
        if (count == capacity)
        {
            refusal = Errno.ENOMEM;
            return false;
        }
        if (length < 0 || length > ((flags & SendFlags.INLINE) != 0 ? maxInline : maxMessage))
        {
            refusal = Errno.EINVAL;
            return false;
        }
        final long request = at(count);
        UnsafeApi.putLong(request + IbvSendWr.WR_ID, wrId);
        UnsafeApi.putInt(request + IbvSendWr.NUM_SGE, length == 0 ? 0 : 1);
        UnsafeApi.putInt(request + IbvSendWr.OPCODE, opcode);
        UnsafeApi.putInt(request + IbvSendWr.SEND_FLAGS, flags);
        UnsafeApi.putInt(request + IbvSendWr.IMM_DATA, Integer.reverseBytes(imm));
        UnsafeApi.putLong(request + IbvSendWr.WR_RDMA_REMOTE_ADDR, remoteAddress);
        UnsafeApi.putInt(request + IbvSendWr.WR_RDMA_RKEY, rkey);
        final long buffer = buffers + (long) count * IbvSge.SIZE;
        UnsafeApi.putLong(buffer + IbvSge.ADDR, localAddress);
        UnsafeApi.putInt(buffer + IbvSge.LENGTH, length);
        UnsafeApi.putInt(buffer + IbvSge.LKEY, lkey);
        count++;
        return true;
    }

    boolean addWrite(
        final long wrId,
        final int flags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey)
    {
        return add(Value.WR_RDMA_WRITE, wrId, flags, localAddress, length, lkey, remoteAddress, rkey, 0);
    }

    boolean addSend(final long wrId, final int flags, final long localAddress, final int length, final int lkey)
    {
        return add(Value.WR_SEND, wrId, flags, localAddress, length, lkey, 0, 0, 0);
    }

    /** {@return requests that were not refused} */
    int count()
    {
        return count;
    }

    /** {@return why requests were refused, or {@link Errno#OK}} */
    int refusal()
    {
        return refusal;
    }

    /** Ends the chain behind that many requests, at least 1, and returns its start. */
    long chain(final int length)
    {
        UnsafeApi.putLong(at(length - 1) + IbvSendWr.NEXT, 0);
        return requests;
    }

    /** Empties the batch after {@link #chain}. */
    void clear(final int chained)
    {
        if (chained > 0)
        {
            link(chained - 1);
        }
        count = 0;
        refusal = Errno.OK;
    }

    /**
     * {@return which request is at an address that the provider named, or -1 if none below the limit is}
     */
    int indexOf(final long address, final int limit)
    {
        final long offset = address - requests;
        return offset >= 0 && offset < (long) limit * IbvSendWr.SIZE && offset % IbvSendWr.SIZE == 0 ?
            (int) (offset / IbvSendWr.SIZE) : -1;
    }

    private void link(final int index)
    {
        UnsafeApi.putLong(at(index) + IbvSendWr.NEXT, index + 1 == capacity ? 0 : at(index + 1));
    }

    private long at(final int index)
    {
        return requests + (long) index * IbvSendWr.SIZE;
    }

    @Override
    public String toString()
    {
        return count + " sends in " + memory.byteSize() + " bytes";
    }
}
