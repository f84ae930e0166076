package io.gannet.rdma.roce;

import io.gannet.rdma.Errno;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.roce.net.UdpPath;
import io.gannet.rdma.roce.rc.CompletionRing;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.QpSettings;
import io.gannet.rdma.roce.rc.RcQueuePair;
import io.gannet.rdma.roce.rc.ReceiveQueue;
import io.gannet.rdma.roce.rc.SendQueue;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A queue pair: its queues on the posting side, its protocol on the NIC's.
 */
final class RoceQueuePair extends QueuePair
{
    /** Largest inline request; covers what any policy of ours asks for. */
    static final int MAX_INLINE = 512;

    /** At most one congestion notification per queue pair in that time, as NICs are usually set. */
    private static final long CNP_INTERVAL = 50_000L;

    private final RoceDevice device;
    private final QueuePairs others;
    private final RoceProtectionDomain domain;
    private final RoceCompletionQueue sendQueue;
    private final RoceCompletionQueue receiveQueue;
    private final long inlineMemory;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final RcQueuePair protocol;
    private final QueuePairs.Turn turn;
    private UdpPath path;
    private int peerQpn;
    private boolean notified;
    private long lastNotification;
    private boolean refused;

    RoceQueuePair(
        final RoceDevice device,
        final QueuePairs others,
        final int number,
        final RoceProtectionDomain domain,
        final QpAttributes attributes)
    {
        super(device.resources());
        this.others = others;
        this.device = device;
        this.domain = domain;
        sendQueue = (RoceCompletionQueue) attributes.sendQueue();
        receiveQueue = (RoceCompletionQueue) attributes.receiveQueue();
        final int inline = Math.min(MAX_INLINE, attributes.maxInline());
        // freed with the queue pair, when no other thread uses it any more
        inlineMemory = UnsafeApi.allocateMemory(Math.max(1, SendQueue.inlineBytes(attributes.sendDepth(), inline)));
        sends = new SendQueue(
            attributes.sendDepth(), inline, device.limits().maxMessageBytes(), inlineMemory);
        receives = new ReceiveQueue(attributes.receiveDepth());
        protocol = new RcQueuePair(
            number, domain, device.regions().regions(), sends, sendQueue.ring(), receives, receiveQueue.ring(),
            attributes.minRnrTimer(), device.tuning(), device.counters(), device.events());
        turn = new QueuePairs.Turn(protocol);
        domain.adopt();
        sendQueue.adopt();
        receiveQueue.adopt();
    }

    @Override
    public int number()
    {
        return protocol.number();
    }

    @Override
    public QpState state()
    {
        return protocol.state();
    }

    @Override
    public int maxInline()
    {
        return sends.maxInline();
    }

    @Override
    public int sendDepth()
    {
        return sends.depth();
    }

    @Override
    public int receiveDepth()
    {
        return receives.depth();
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
        sends.addWriteWithImm(wrId, flags, localAddress, length, lkey, remoteAddress, rkey, imm);
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
        refused = protocol.state() == QpState.INIT;
        if (refused)
        {
            sends.dropBatch();
            return Errno.EINVAL;
        }
        final int errno = sends.ringDoorbell();
        if (sends.accepted() != 0)
        {
            others.tell(this);
        }
        return errno;
    }

    @Override
    public int accepted()
    {
        return refused ? 0 : sends.accepted();
    }

    @Override
    public void addReceive(final long wrId, final long address, final int length, final int lkey)
    {
        receives.add(wrId, address, length, lkey);
    }

    @Override
    public int postReceives()
    {
        final int errno = receives.post();
        // A queue pair in error flushes them. Between their release and the look at the state, which changes before
        // what was posted is flushed.
        VarHandle.fullFence();
        if (protocol.state() == QpState.ERR)
        {
            others.tell(this);
        }
        return errno;
    }

    @Override
    public int acceptedReceives()
    {
        return receives.accepted();
    }

    @Override
    public void toError()
    {
        device.lock().lock();
        try
        {
            failed();
        }
        finally
        {
            device.lock().unlock();
        }
    }

    QueuePairs.Turn turn()
    {
        return turn;
    }

    /** Called under the device's lock, as everything below: to the error state. */
    void failed()
    {
        protocol.toError();
        others.activate(this);
    }

    /** A packet has come for it. */
    void activate()
    {
        others.activate(this);
    }

    void connect(final QpSettings settings, final UdpPath toPeer)
    {
        path = toPeer;
        peerQpn = settings.peerQpn();
        protocol.connect(settings, toPeer);
        others.activate(this);
    }

    RcQueuePair protocol()
    {
        return protocol;
    }

    /** The completion queue with that ring, or null. */
    RoceCompletionQueue queueOf(final CompletionRing ring)
    {
        return sendQueue.ring().equals(ring) ? sendQueue : receiveQueue.ring().equals(ring) ? receiveQueue : null;
    }

    boolean uses(final RoceCompletionQueue queue)
    {
        return queue.equals(sendQueue) || queue.equals(receiveQueue);
    }

    boolean isPeer(final long high, final long low)
    {
        return path != null && path.leadsTo(high, low);
    }

    /** The network marked a packet of the peer as sent into congestion: tells the peer, not too often. */
    void notifyCongestion(final long now)
    {
        if (notified && now - lastNotification < CNP_INTERVAL)
        {
            return;
        }
        final int at = path.claim(Packets.CNP_SIZE);
        if (at >= 0)
        {
            notified = true;
            lastNotification = now;
            final UnsafeBuffer packet = path.buffer();
            packet.setMemory(at, Packets.CNP_SIZE, (byte) 0);
            Bth.write(packet, at, Opcode.CNP, 0, peerQpn, false, 0);
            Bth.congestion(packet, at, false, true);
            path.commit();
            device.counters().increment(Counter.CNP_SENT);
        }
    }

    @Override
    protected int destroy()
    {
        device.lock().lock();
        try
        {
            protocol.destroy();
            device.forget(this);
            domain.release();
            sendQueue.release();
            receiveQueue.release();
            UnsafeApi.freeMemory(inlineMemory);
            return Errno.OK;
        }
        finally
        {
            device.lock().unlock();
        }
    }
}
