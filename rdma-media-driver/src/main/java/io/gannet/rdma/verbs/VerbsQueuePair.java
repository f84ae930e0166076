package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvQp;
import static io.gannet.rdma.verbs.Abi.IbvQpAttr;
import static io.gannet.rdma.verbs.Abi.IbvQpInitAttr;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.rdma.Access;
import io.gannet.rdma.Errno;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * A reliable connected queue pair: the {@code ibv_qp} of an {@code rdma_cm_id}. Queue depths are kept by its own
 * accounts, see {@link SendQueue}.
 */
final class VerbsQueuePair extends QueuePair
{
    /** Requests of one critical call at most, so that it stays short. */
    private static final int MOST_CRITICAL = 16;

    private final VerbsDevice device;
    private final HotCalls calls;
    private final VerbsCmId id;
    private final VerbsProtectionDomain domain;
    private final VerbsCompletionQueue sendQueue;
    private final VerbsCompletionQueue receiveQueue;
    private final long handle;
    private final int number;
    private final int maxInline;
    private final int sendDepth;
    private final int receiveDepth;
    private final int minRnrTimer;
    private final int mostCritical;
    private final SendQueue sends;
    private final ReceiveBatch receives;
    private final PolledCount received = new PolledCount();
    private final MemorySegment bad = Arena.ofAuto().allocate(2 * Long.BYTES, 128);
    /** Where the provider names the request that it refused. */
    private final long badSend = bad.address();
    private final long badReceive = badSend + Long.BYTES;
    /** Before ready-to-send a post is refused here: not every provider checks. */
    private volatile boolean ready;
    /** Nothing is refused by depth after the error state, as everything flushes. */
    private volatile boolean failed;
    private volatile boolean open = true;
    /** Of the three above the usual, so that a post looks at one; changed together with them. */
    private volatile boolean usable;
    private int accepted;
    private int acceptedReceives;
    private long receivesPosted;

    VerbsQueuePair(
        final VerbsCmId id,
        final VerbsProtectionDomain domain,
        final long handle,
        final QpAttributes attributes,
        final int maxInline)
    {
        super(domain.device().resources());
        device = domain.device();
        calls = device.context().calls;
        this.id = id;
        this.domain = domain;
        this.handle = handle;
        this.maxInline = maxInline;
        sendQueue = (VerbsCompletionQueue) attributes.sendQueue();
        receiveQueue = (VerbsCompletionQueue) attributes.receiveQueue();
        sendDepth = attributes.sendDepth();
        receiveDepth = attributes.receiveDepth();
        minRnrTimer = attributes.minRnrTimer();
        number = UnsafeApi.getInt(handle + IbvQp.QP_NUM);
        mostCritical = device.isCritical() ? MOST_CRITICAL : 0;
        sends = new SendQueue(sendDepth, maxInline, device.limits().maxMessageBytes());
        receives = new ReceiveBatch(receiveDepth);
        domain.adopt();
        sendQueue.add(this);
        receiveQueue.add(this);
    }

    @Override
    public int number()
    {
        return number;
    }

    @Override
    public QpState state()
    {
        if (!open)
        {
            return QpState.RESET;
        }
        try (Arena arena = Arena.ofConfined())
        {
            final long attributes = arena.allocate(IbvQpAttr.SIZE, 8).address();
            final long initial = arena.allocate(IbvQpInitAttr.SIZE, 8).address();
            final int error = device.library().queryQp.status(handle, attributes, Value.QP_STATE, initial, 0);
            return error != Errno.OK ? QpState.ERR : switch (UnsafeApi.getInt(attributes + IbvQpAttr.QP_STATE))
            {
                case Value.QPS_RESET -> QpState.RESET;
                case Value.QPS_INIT -> QpState.INIT;
                case Value.QPS_RTR -> QpState.RTR;
                case Value.QPS_RTS -> QpState.RTS;
                default -> QpState.ERR;
            };
        }
    }

    @Override
    public int maxInline()
    {
        return maxInline;
    }

    @Override
    public int sendDepth()
    {
        return sendDepth;
    }

    @Override
    public int receiveDepth()
    {
        return receiveDepth;
    }

    @Override
    public void addWrite(
        final long wrId,
        final int flags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey)
    {
        sends.addWrite(wrId, flags, localAddress, length, lkey, remoteAddress, rkey);
    }

    @Override
    public void addWriteWithImm(
        final long wrId,
        final int flags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey,
        final int imm)
    {
        sends.add(Value.WR_RDMA_WRITE_WITH_IMM, wrId, flags, localAddress, length, lkey, remoteAddress, rkey, imm);
    }

    @Override
    public void addSend(
        final long wrId, final int flags, final long localAddress, final int length, final int lkey)
    {
        sends.addSend(wrId, flags, localAddress, length, lkey);
    }

    @Override
    public int ringDoorbell()
    {
        // For the sake of compiled code, which stores what it needs behind a call and loads it again: all accounts are
        // kept before the provider is called, and behind the call of the unusual way nothing is needed but its result.
        final int count = usable ? sends.take() : 0;
        if (count == 0)
        {
            return ringUnusually();
        }
        accepted = count;
        final int error = calls.postSend(count <= mostCritical, handle, sends.chain(), badSend);
        return error == 0 ? Errno.OK : onBatchRefused(Math.abs(error));
    }

    private int onBatchRefused(final int error)
    {
        final int count = accepted;
        final int index = refusedIndex(count);
        sends.refused(count, accepted);
        return index < 0 ? Errno.EIO : error;
    }

    /** Which request the provider has refused, or -1; sets what was accepted. */
    private int refusedIndex(final int count)
    {
        final int index = sends.indexOf(UnsafeApi.getLong(badSend), count);
        UnsafeApi.putLong(badSend, 0);          // a provider that says nothing the next time must not name this one
        accepted = Math.max(index, 0);
        return index;
    }

    /**
     * A batch for which room was not found yet; or that is empty, or of which some was refused or does not fit; or a
     * queue pair that is not in use.
     */
    private int ringUnusually()
    {
        if (usable && sends.findRoom())
        {
            return ringDoorbell();
        }
        final int count = sends.count();
        final int refusal = sends.refusal();
        accepted = 0;
        if (!ready || !open)
        {
            sends.posted(0);
            return count == 0 && refusal == Errno.OK ? Errno.OK : Errno.EINVAL;
        }
        final int chained = failed ? count : Math.min(count, sends.free());
        if (chained > 0)
        {
            sends.cut(chained);
            final int error = calls.postSend(chained <= mostCritical, handle, sends.chain(), badSend);
            if (error != 0)
            {
                final int index = refusedIndex(chained);
                sends.posted(accepted);
                return index < 0 ? Errno.EIO : Math.abs(error);
            }
        }
        sends.posted(chained);
        accepted = chained;
        return chained < count ? Errno.ENOMEM : refusal;
    }

    @Override
    public int accepted()
    {
        return accepted;
    }

    @Override
    public void addReceive(final long wrId, final long address, final int length, final int lkey)
    {
        receives.add(wrId, address, length, lkey);
    }

    @Override
    public int postReceives()
    {
        final int count = receives.count();
        int result = receives.refusal();
        int taken = 0;
        int chained = 0;
        if (!open)
        {
            result = Errno.EINVAL;
        }
        else
        {
            final int free = receiveDepth - (int) (receivesPosted - received.get());
            chained = failed ? count : Math.min(count, free);
            result = chained < count ? Errno.ENOMEM : result;
            taken = chained;
            if (chained > 0)
            {
                UnsafeApi.putLong(badReceive, 0);
                final int error = Math.abs(calls.postReceive(
                    chained <= mostCritical, handle, receives.chain(chained), badReceive));
                if (error != 0)
                {
                    final int index = receives.indexOf(UnsafeApi.getLong(badReceive), chained);
                    taken = Math.max(index, 0);
                    result = index < 0 ? Errno.EIO : error;
                }
            }
        }
        receivesPosted += taken;
        receives.clear(chained);
        acceptedReceives = taken;
        return result;
    }

    @Override
    public int acceptedReceives()
    {
        return acceptedReceives;
    }

    @Override
    public void toError()
    {
        onFailure();
        if (open)
        {
            modify(Value.QPS_ERR, Value.QP_STATE);
        }
    }

    /** A completion of a send was polled. */
    void onSent()
    {
        sends.confirm();
    }

    /** A completion of a receive was polled. */
    void onReceived()
    {
        received.set(received.nextCompletion() + 1);
    }

    /** It is in the error state, as a failed completion tells. */
    synchronized void onFailure()
    {
        failed = true;
        usable = false;
    }

    /**
     * The connection manager has brought it to ready-to-send: sets what it leaves alone or to values that nobody wants,
     * as an RNR timer of 655 ms.
     *
     * @return 0, or why the device refused.
     */
    int onConnected()
    {
        synchronized (this)
        {
            ready = true;
            usable = open && !failed;
        }
        return device.limits().transport() == Transport.IWARP ?
            Errno.OK : modify(Value.QPS_RTS, Value.QP_ACCESS_FLAGS | Value.QP_MIN_RNR_TIMER);
    }

    private int modify(final int state, final int mask)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long attributes = arena.allocate(IbvQpAttr.SIZE, 8).address();
            UnsafeApi.putInt(attributes + IbvQpAttr.QP_STATE, state);
            UnsafeApi.putInt(attributes + IbvQpAttr.QP_ACCESS_FLAGS, Access.REMOTE_WRITE);
            UnsafeApi.putByte(attributes + IbvQpAttr.MIN_RNR_TIMER, (byte) minRnrTimer);
            return device.library().modifyQp.status(handle, attributes, mask);
        }
    }

    long handle()
    {
        return handle;
    }

    @Override
    protected int destroy()
    {
        synchronized (this)
        {
            open = false;
            failed = true;
            usable = false;
        }
        id.destroyQueuePair();
        sendQueue.remove(this);
        receiveQueue.remove(this);
        domain.release();
        return Errno.OK;
    }

    @Override
    public String toString()
    {
        return "queue pair " + number + " of " + device.name();
    }
}
