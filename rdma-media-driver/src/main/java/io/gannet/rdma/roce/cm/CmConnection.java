package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.rc.QpSettings;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.Packets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection as the agent knows it: ids, the peer's offer, and the message that is repeated until it is answered.
 */
public final class CmConnection
{
    final boolean connector;
    final int localId;
    final Gid peer;
    final int peerPort;
    /** What was sent last, byte for byte, for repeats. */
    final UnsafeBuffer message = new UnsafeBuffer(new byte[Mad.SIZE]);

    CmState state;
    int remoteId;
    long remoteGuid;
    long transactionId;
    CmOffer own;
    int remoteQpn;
    int sendPsn;
    int mtuCode;
    int retryCount;
    int rnrRetry;
    int ackTimeout;
    int trafficClass;
    int flowLabel;
    boolean detached;

    // repeats
    long deadline;
    long interval;
    int repeatsLeft;

    private Object context;

    CmConnection(final boolean connector, final int localId, final Gid peer, final int peerPort)
    {
        this.connector = connector;
        this.localId = localId;
        this.peer = peer;
        this.peerPort = peerPort;
    }

    /** Whoever owns the connection. */
    public Object context()
    {
        return context;
    }

    /** Sets the owner. */
    public void context(final Object owner)
    {
        context = owner;
    }

    /** State. */
    public CmState state()
    {
        return state;
    }

    /** Where the peer is. */
    public Gid peer()
    {
        return peer;
    }

    /** The port that was asked for at the acceptor; at the acceptor itself the connector's port. */
    public int peerPort()
    {
        return peerPort;
    }

    /** Traffic class of the packets of this connection. */
    public int trafficClass()
    {
        return trafficClass;
    }

    /** Flow label that both sides derive their UDP source port from. */
    public int flowLabel()
    {
        return flowLabel;
    }

    /** What the own queue pair is told. Valid from {@link CmHandler#onReply} or {@link CmAgent#accept} on. */
    public QpSettings settings()
    {
        return new QpSettings(
            Packets.mtuOfCode(mtuCode), remoteQpn, sendPsn, own.startingPsn(), ackTimeout, retryCount, rnrRetry);
    }

    /** Starts waiting for an answer: first after {@code interval}, then twice as long each time. */
    void await(final long now, final long firstInterval, final int repeats)
    {
        interval = firstInterval;
        deadline = now + firstInterval;
        repeatsLeft = repeats;
    }

    /** Whether it repeats a message until that is answered. */
    boolean isWaiting()
    {
        return state == CmState.REQ_SENT || state == CmState.REP_SENT || state == CmState.DREQ_SENT;
    }
}
