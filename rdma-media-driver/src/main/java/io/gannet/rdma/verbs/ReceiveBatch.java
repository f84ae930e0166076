package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvRecvWr;
import static io.gannet.rdma.verbs.Abi.IbvSge;

import io.gannet.rdma.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * The receives of one queue pair that wait to be posted: an array of {@code ibv_recv_wr}, as {@link SendBatch} has
 * sends. Owned by the posting thread.
 */
final class ReceiveBatch
{
    private final int capacity;
    private final MemorySegment memory;
    private final long requests;
    private final long buffers;
    private int count;
    private int refusal;

    ReceiveBatch(final int capacity)
    {
        this.capacity = capacity;
        memory = Arena.ofAuto().allocate((long) capacity * (IbvRecvWr.SIZE + IbvSge.SIZE), 64);
        requests = memory.address();
        buffers = requests + (long) capacity * IbvRecvWr.SIZE;
        for (int i = 0; i < capacity; i++)
        {
            UnsafeApi.putLong(at(i) + IbvRecvWr.SG_LIST, buffers + (long) i * IbvSge.SIZE);
            link(i);
        }
    }

    void add(final long wrId, final long address, final int length, final int lkey)
    {
        if (refusal != Errno.OK)
        {
            return;
        }
        if (count == capacity || length < 0)
        {
            refusal = length < 0 ? Errno.EINVAL : Errno.ENOMEM;
            return;
        }
        final long request = at(count);
        UnsafeApi.putLong(request + IbvRecvWr.WR_ID, wrId);
        UnsafeApi.putInt(request + IbvRecvWr.NUM_SGE, length == 0 ? 0 : 1);
        final long buffer = buffers + (long) count * IbvSge.SIZE;
        UnsafeApi.putLong(buffer + IbvSge.ADDR, address);
        UnsafeApi.putInt(buffer + IbvSge.LENGTH, length);
        UnsafeApi.putInt(buffer + IbvSge.LKEY, lkey);
        count++;
    }

    int count()
    {
        return count;
    }

    int refusal()
    {
        return refusal;
    }

    /** Ends the chain behind that many receives, at least 1, and returns its start. */
    long chain(final int length)
    {
        UnsafeApi.putLong(at(length - 1) + IbvRecvWr.NEXT, 0);
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
     * {@return which receive is at an address that the provider named, or -1 if none below the limit is}
     */
    int indexOf(final long address, final int limit)
    {
        final long offset = address - requests;
        return offset >= 0 && offset < (long) limit * IbvRecvWr.SIZE && offset % IbvRecvWr.SIZE == 0 ?
            (int) (offset / IbvRecvWr.SIZE) : -1;
    }

    private void link(final int index)
    {
        UnsafeApi.putLong(at(index) + IbvRecvWr.NEXT, index + 1 == capacity ? 0 : at(index + 1));
    }

    private long at(final int index)
    {
        return requests + (long) index * IbvRecvWr.SIZE;
    }

    @Override
    public String toString()
    {
        return count + " receives in " + memory.byteSize() + " bytes";
    }
}
