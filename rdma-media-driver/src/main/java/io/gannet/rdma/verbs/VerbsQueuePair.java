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
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * A reliable connected queue pair: the {@code ibv_qp} of an {@code rdma_cm_id}. Queue depths are kept by its own
 * accounts, see {@link QueueAccount}.
 */
final class VerbsQueuePair extends QueuePair
{
    /** Requests of one critical call at most, so that it stays short. */
    private static final int MOST_CRITICAL = 16;

    private final VerbsDevice device;
    private final VerbsContext context;
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
    private final boolean critical;
    private final SendBatch sends;
    private final ReceiveBatch receives;
    private final QueueAccount account;
    private final PolledCount received = new PolledCount();
    private final MemorySegment bad = Arena.ofAuto().allocate(2 * Long.BYTES, 128);
    /** Before ready-to-send a post is refused here: not every provider checks. */
    private volatile boolean ready;
    /** Nothing is refused by depth after the error state, as everything flushes. */
    private volatile boolean failed;
    private volatile boolean open = true;
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
        context = device.context();
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
        critical = device.isCritical();
        sends = new SendBatch(sendDepth, maxInline, device.limits().maxMessageBytes());
        receives = new ReceiveBatch(receiveDepth);
        account = new QueueAccount(sendDepth, sendDepth);
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
        if (sends.addWrite(wrId, flags, localAddress, length, lkey, remoteAddress, rkey))
        {
            account.add((flags & SendFlags.SIGNALED) != 0);
        }
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
        if (sends.add(
            Value.WR_RDMA_WRITE_WITH_IMM, wrId, flags, localAddress, length, lkey, remoteAddress, rkey, imm))
        {
            account.add((flags & SendFlags.SIGNALED) != 0);
        }
    }

    @Override
    public void addSend(
        final long wrId, final int flags, final long localAddress, final int length, final int lkey)
    {
        if (sends.addSend(wrId, flags, localAddress, length, lkey))
        {
            account.add((flags & SendFlags.SIGNALED) != 0);
        }
    }

    @Override
    public int ringDoorbell()
    {
        final int count = sends.count();
        int taken = 0;
        int result = sends.refusal();
        int chained = 0;
        if (!ready || !open)
        {
            result = count == 0 && result == Errno.OK ? Errno.OK : Errno.EINVAL;
        }
        else
        {
            chained = failed ? count : Math.min(count, account.free());
            result = chained < count ? Errno.ENOMEM : result;
            taken = chained;
            if (chained > 0)
            {
                final long where = bad.address();
                UnsafeApi.putLong(where, 0);
                final int error = Math.abs(HotCalls.post(
                    critical && chained <= MOST_CRITICAL, context.postSend, handle, sends.chain(chained), where));
                if (error != 0)
                {
                    final int index = sends.indexOf(UnsafeApi.getLong(where), chained);
                    taken = Math.max(index, 0);
                    result = index < 0 ? Errno.EIO : error;
                }
            }
        }
        account.post(taken);
        sends.clear(chained);
        accepted = taken;
        return result;
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
                final long where = bad.address() + Long.BYTES;
                UnsafeApi.putLong(where, 0);
                final int error = Math.abs(HotCalls.post(
                    critical && chained <= MOST_CRITICAL, context.postRecv, handle, receives.chain(chained), where));
                if (error != 0)
                {
                    final int index = receives.indexOf(UnsafeApi.getLong(where), chained);
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
        failed = true;
        if (open)
        {
            modify(Value.QPS_ERR, Value.QP_STATE);
        }
    }

    /** A completion of a send was polled. */
    void onSent()
    {
        account.confirm();
    }

    /** A completion of a receive was polled. */
    void onReceived()
    {
        received.set(received.nextCompletion() + 1);
    }

    /** A failed completion was polled: the queue pair is in the error state. */
    void onFailure()
    {
        failed = true;
    }

    /**
     * The connection manager has brought it to ready-to-send: sets what it leaves alone or to values that nobody wants,
     * as an RNR timer of 655 ms.
     *
     * @return 0, or why the device refused.
     */
    int onConnected()
    {
        ready = true;
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
        open = false;
        failed = true;
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
