package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import io.gannet.rdma.Access;
import io.gannet.rdma.Errno;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;

/**
 * A queue pair: batches, queues and state. {@link SimSendQueue} carries requests out.
 *
 * <p>Stricter than Soft-RoCE: a slot of the send queue is free only once a completion behind it was polled.
 */
final class SimQueuePair extends QueuePair
{
    private final SimDevice device;
    private final SimProtectionDomain domain;
    private final SimCompletionQueue sendCompletions;
    private final SimCompletionQueue receiveCompletions;
    private final int sendDepth;
    private final int receiveDepth;
    private final int maxInline;
    private final int minRnrTimer;
    private final int number;
    private final SimSendQueue sendQueue;
    private final ArrayDeque<SimReceive> receives = new ArrayDeque<>();
    private final List<SimSend> batch = new ArrayList<>();
    private final List<SimReceive> receiveBatch = new ArrayList<>();
    private final boolean neverFlushes;
    private QpState state = QpState.INIT;
    private int receivesPosted;
    private int accepted;
    private boolean errorSeen;
    private boolean endedByOwner;
    private boolean disturbed;
    private int acceptedReceives;

    SimQueuePair(final SimDevice device, final SimProtectionDomain domain, final QpAttributes attributes)
    {
        super(device.resources());
        this.device = device;
        this.domain = domain;
        this.sendCompletions = (SimCompletionQueue) attributes.sendQueue();
        this.receiveCompletions = (SimCompletionQueue) attributes.receiveQueue();
        this.sendDepth = attributes.sendDepth();
        this.receiveDepth = attributes.receiveDepth();
        this.minRnrTimer = attributes.minRnrTimer();
        this.maxInline = Math.min(attributes.maxInline(), device.fabric().profile().maxInline);
        this.neverFlushes = device.fabric().chance(device.fabric().profile().flushNever);
        this.number = device.add(this);
        this.sendQueue = new SimSendQueue(device, this);
        domain.adopt();
        sendCompletions.adopt();
        receiveCompletions.adopt();
    }

    static void check(final SimDevice device, final QpAttributes attributes)
    {
        final int most = device.limits().maxQueueDepth();
        if (attributes.sendDepth() < 1 || attributes.sendDepth() > most ||
            attributes.receiveDepth() < 1 || attributes.receiveDepth() > most)
        {
            throw new RdmaException(Errno.EINVAL, "queue depths must be in [1, " + most + "], are " +
                attributes.sendDepth() + " and " + attributes.receiveDepth());
        }
    }

    @Override
    public int number()
    {
        return number;
    }

    @Override
    public QpState state()
    {
        return state;
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
        batch.add(new SimSend(
            SimSend.Kind.WRITE, wrId, flags, localAddress, length, lkey, remoteAddress, rkey, 0));
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
        batch.add(new SimSend(
            SimSend.Kind.WRITE_WITH_IMM, wrId, flags, localAddress, length, lkey, remoteAddress, rkey, imm));
    }

    @Override
    public void addSend(final long wrId, final int flags, final long localAddress, final int length, final int lkey)
    {
        batch.add(new SimSend(SimSend.Kind.SEND, wrId, flags, localAddress, length, lkey, 0, 0, 0));
    }

    @Override
    public int ringDoorbell()
    {
        accepted = 0;
        int errno = Errno.OK;
        for (final SimSend send : batch)
        {
            errno = refusal(send);
            if (errno != Errno.OK)
            {
                device.note("post refused", number, errno);
                break;
            }
            accepted++;
            sendQueue.post(send);
        }
        batch.clear();
        return errno;
    }

    private int refusal(final SimSend send)
    {
        if (isClosed() || state == QpState.INIT || send.length < 0 ||
            send.length > (send.isInline() ? maxInline : device.limits().maxMessageBytes()) ||
            (send.flags & ~(SendFlags.INLINE | SendFlags.SIGNALED)) != 0 ||
            (send.kind == SimSend.Kind.WRITE_WITH_IMM && !device.fabric().profile().writeWithImm))
        {
            return Errno.EINVAL;
        }
        if (sendQueue.used() >= sendDepth)
        {
            device.fabric().violation(device.name(), "send queue of " + sendDepth + " is full");
            return Errno.ENOMEM;
        }
        return Errno.OK;
    }

    @Override
    public int accepted()
    {
        return accepted;
    }

    @Override
    public void addReceive(final long wrId, final long address, final int length, final int lkey)
    {
        receiveBatch.add(new SimReceive(wrId, address, length, lkey));
    }

    @Override
    public int postReceives()
    {
        acceptedReceives = 0;
        int errno = Errno.OK;
        for (final SimReceive receive : receiveBatch)
        {
            if (isClosed())
            {
                errno = Errno.EINVAL;
                break;
            }
            if (receivesPosted >= receiveDepth)
            {
                device.fabric().violation(device.name(), "receive queue of " + receiveDepth + " is full");
                errno = Errno.ENOMEM;
                break;
            }
            acceptedReceives++;
            if (state == QpState.ERR)
            {
                flush(receive);
            }
            else
            {
                receivesPosted++;
                receives.add(receive);
            }
        }
        receiveBatch.clear();
        return errno;
    }

    @Override
    public int acceptedReceives()
    {
        return acceptedReceives;
    }

    @Override
    public void toError()
    {
        endedByOwner |= state != QpState.ERR;
        breakDown();
    }

    /** Goes to the error state for a reason of the device's or the peer's. */
    void breakDown()
    {
        if (state != QpState.ERR && !isClosed())
        {
            device.note("to error", number, 0);
            state = QpState.ERR;
            sendQueue.flush();
            for (SimReceive receive = receives.poll(); receive != null; receive = receives.poll())
            {
                flush(receive);
            }
            receivesPosted = 0;
        }
    }

    /**
     * Makes the queue pair ready to receive and to send.
     *
     * @param partner    the peer's queue pair.
     * @param retryCount resends without an acknowledgement.
     * @param rnrRetry   resends to a peer without a receive.
     * @param ackTimeout code of the wait for an acknowledgement.
     */
    void connectTo(
        final InetAddress peer,
        final SimQueuePair partner,
        final int retryCount,
        final int rnrRetry,
        final int ackTimeout)
    {
        if (state == QpState.INIT)
        {
            sendQueue.connectTo(peer, partner, retryCount, rnrRetry, ackTimeout);
            state = QpState.RTS;
        }
    }

    /** The host is gone: what has not left it never leaves. */
    void abandon()
    {
        sendQueue.abandon();
    }

    SimDevice device()
    {
        return device;
    }

    SimProtectionDomain domain()
    {
        return domain;
    }

    int minRnrTimer()
    {
        return minRnrTimer;
    }

    /** Whether packets of the peer are taken. */
    boolean isListening()
    {
        return !isClosed() && device.isAlive() && state == QpState.RTS;
    }

    /**
     * A message of a connection before comes, and takes a receive.
     *
     * @return false if it cannot.
     */
    boolean disturb()
    {
        disturbed |= hasReceive();
        return hasReceive();
    }

    /** {@return whether another connection's message has taken a receive, which its peer's credits do not know} */
    boolean isDisturbed()
    {
        return disturbed;
    }

    boolean hasReceive()
    {
        return !receives.isEmpty();
    }

    /**
     * Takes the next receive.
     *
     * @return null if there is none.
     */
    SimReceive takeReceive()
    {
        final SimReceive receive = receives.poll();
        if (receive != null)
        {
            receivesPosted--;
        }
        return receive;
    }

    boolean mayPlace(final SimReceive receive, final int length)
    {
        final SimMemoryRegion region = device.region(receive.lkey());
        return length == 0 || (region != null &&
            region.allowsLocal(domain, receive.lkey(), receive.address(), length, Access.LOCAL_WRITE));
    }

    boolean mayRead(final SimSend send)
    {
        final SimMemoryRegion region = device.region(send.lkey);
        return send.length == 0 || (region != null &&
            region.allowsLocal(domain, send.lkey, send.localAddress, send.length, Access.LOCAL_READ));
    }

    void completeReceive(
        final SimReceive receive,
        final int status,
        final int opcode,
        final int length,
        final int imm,
        final int flags)
    {
        device.note("receive", receive.wrId(), status);
        receiveCompletions.push(
            new SimCompletion(this, -1, receive.wrId(), status, opcode, length, imm, flags), 0);
    }

    void completeSend(final SimSend send, final int status, final int opcode, final int flags, final long delay)
    {
        device.note("send done", send.wrId, status);
        if (delay >= 0)
        {
            sendCompletions.push(
                new SimCompletion(this, send.sequence, send.wrId, status, opcode, 0, 0, flags), delay);
        }
    }

    long flushDelay()
    {
        return neverFlushes ? -1 : device.fabric().upTo(device.fabric().profile().flushDelay);
    }

    void onPolled(final SimCompletion completion)
    {
        if (completion.sendSequence() >= 0)
        {
            sendQueue.onPolled(completion.sendSequence());
        }
        if (completion.status() != WcStatus.SUCCESS && !isClosed() && !endedByOwner && !errorSeen)
        {
            errorSeen = true;
            device.onErrorSeen();
        }
    }

    private void flush(final SimReceive receive)
    {
        final long delay = flushDelay();
        if (delay >= 0)
        {
            receiveCompletions.push(
                new SimCompletion(this, -1, receive.wrId(), WcStatus.WR_FLUSH_ERR, 0, 0, 0, 0), delay);
        }
    }

    @Override
    protected int destroy()
    {
        device.note("destroy qp", number, 0);
        if (state != QpState.ERR)
        {
            state = QpState.ERR;
            sendQueue.abandon();
        }
        device.remove(this);
        sendCompletions.forget(this);
        receiveCompletions.forget(this);
        sendCompletions.release();
        receiveCompletions.release();
        domain.release();
        return Errno.OK;
    }

    @Override
    public String toString()
    {
        return "queue pair " + number + " of " + device.name();
    }
}
