package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvCq;
import static io.gannet.rdma.verbs.Abi.IbvWc;

import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.Errno;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import org.agrona.UnsafeApi;

/**
 * A completion queue: an {@code ibv_cq}. Each completion polled is entered into its queue pair's accounts, as some
 * devices take more than their queues hold and free slots that nothing has confirmed.
 */
final class VerbsCompletionQueue extends CompletionQueue
{
    /** Completions of one critical call at most, so that it stays short. */
    private static final int MOST_CRITICAL = 64;

    private final VerbsDevice device;
    private final HotCalls calls;
    private final VerbsCompletionChannel channel;
    private final long handle;
    private final int depth;
    private final boolean critical;
    private final int mostAtOnce;
    private volatile QueuePairTable queuePairs = QueuePairTable.EMPTY;
    private volatile boolean broken;

    VerbsCompletionQueue(final VerbsDevice device, final VerbsCompletionChannel channel, final long handle)
    {
        super(device.resources());
        this.device = device;
        this.channel = channel;
        this.handle = handle;
        calls = device.context().calls;
        critical = device.isCritical();
        mostAtOnce = critical ? MOST_CRITICAL : Integer.MAX_VALUE;
        depth = UnsafeApi.getInt(handle + IbvCq.CQE);
        if (channel != null)
        {
            channel.adopt();
        }
    }

    @Override
    public int poll(final WorkCompletions completions)
    {
        final int most = Math.min(completions.capacity(), mostAtOnce);
        final int count = calls.poll(critical, handle, most, completions.address());
        if (count == 0)
        {
            return broken ? -Errno.EIO : 0;
        }
        if (count < 0 || count > most)
        {
            broken = true;
            return -Errno.EIO;
        }
        account(completions, count);
        return count;
    }

    private void account(final WorkCompletions completions, final int count)
    {
        final QueuePairTable table = queuePairs;
        final long end = completions.address() + (long) count * IbvWc.SIZE;
        for (long at = completions.address(); at < end; at += IbvWc.SIZE)
        {
            final VerbsQueuePair queuePair = table.get(UnsafeApi.getInt(at + IbvWc.QP_NUM));
            if (queuePair == null)
            {
                continue;                                       // closed since
            }
            // The status first: everything else of a failed completion is zero or noise.
            if (UnsafeApi.getInt(at + IbvWc.STATUS) != WcStatus.SUCCESS)
            {
                queuePair.onFailure();
            }
            else if (WcOpcode.isReceive(UnsafeApi.getInt(at + IbvWc.OPCODE)))
            {
                queuePair.onReceived();
            }
            else
            {
                queuePair.onSent();
            }
        }
    }

    @Override
    public int arm()
    {
        return channel == null ?
            Errno.EINVAL : Math.abs(calls.requestNotification(handle));
    }

    @Override
    public int depth()
    {
        return depth;
    }

    long handle()
    {
        return handle;
    }

    /** The device lost completions of this queue: none of its queue pairs can be trusted any more. */
    void onOverrun()
    {
        broken = true;
        queuePairs.forEach(VerbsQueuePair::toError);
    }

    void add(final VerbsQueuePair queuePair)
    {
        synchronized (this)
        {
            queuePairs = queuePairs.with(queuePair);
        }
    }

    void remove(final VerbsQueuePair queuePair)
    {
        synchronized (this)
        {
            queuePairs = queuePairs.without(queuePair);
        }
    }

    @Override
    protected int destroy()
    {
        if (!queuePairs.isEmpty())
        {
            return Errno.EBUSY;
        }
        device.forget(this);
        final int error = device.closing(device.library().destroyCq.status(handle));
        if (error == Errno.OK && channel != null)
        {
            channel.release();
        }
        return error;
    }
}
