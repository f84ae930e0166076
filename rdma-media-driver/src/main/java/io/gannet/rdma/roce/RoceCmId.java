package io.gannet.rdma.roce;

import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.cm.CmConnection;
import io.gannet.rdma.roce.cm.CmOffer;
import io.gannet.rdma.roce.cm.CmState;
import io.gannet.rdma.roce.wire.Gid;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;

/**
 * One side of one connection.
 */
final class RoceCmId extends CmId
{
    private enum Phase
    {
        IDLE, RESOLVED, CONNECTING, REQUESTED, ACCEPTED, ENDED
    }

    private final RoceDevice device;
    private final RoceConnectionManager manager;
    private Phase phase = Phase.IDLE;
    private InetSocketAddress remote;
    private CmConnection connection;
    private RoceQueuePair queuePair;

    RoceCmId(final RoceDevice device, final RoceConnectionManager manager)
    {
        super(device.resources());
        this.device = device;
        this.manager = manager;
    }

    /** Called under the device's lock. */
    static RoceCmId ofRequest(
        final RoceDevice device, final RoceConnectionManager manager, final CmConnection asked)
    {
        final RoceCmId id = new RoceCmId(device, manager);
        id.connection = asked;
        id.remote = new InetSocketAddress(asked.peer().toInetAddress(), asked.peerPort());
        id.phase = Phase.REQUESTED;
        asked.context(id);
        return id;
    }

    @Override
    public void resolve(final InetSocketAddress to, final int timeoutMs)
    {
        require(phase == Phase.IDLE && !to.isUnresolved(), "resolve " + to);
        remote = to;
        final int error = device.paths().routeError(to.getAddress());
        phase = error == Errno.OK ? Phase.RESOLVED : Phase.ENDED;
        manager.raise(
            error == Errno.OK ? CmEventType.ROUTE_RESOLVED : CmEventType.ROUTE_ERROR, this, -error,
            RoceConnectionManager.NO_DATA);
    }

    @Override
    public QueuePair createQueuePair(final ProtectionDomain domain, final QpAttributes attributes)
    {
        require(
            (phase == Phase.RESOLVED || phase == Phase.REQUESTED) && queuePair == null, "create a queue pair");
        queuePair = device.createQueuePair(domain, attributes);
        return queuePair;
    }

    @Override
    public void connect(final ConnectParameters parameters, final DirectBuffer privateData)
    {
        require(phase == Phase.RESOLVED && queuePair != null, "connect");
        checkLength(privateData, ConnectionManager.MAX_CONNECT_PRIVATE_DATA);
        device.lock().lock();
        try
        {
            phase = Phase.CONNECTING;
            connection = device.agent().request(
                Gid.of(remote.getAddress()), remote.getPort(), device.identifiers().port(), offer(parameters),
                privateData, System.nanoTime());
            connection.context(this);
        }
        finally
        {
            device.lock().unlock();
        }
    }

    @Override
    public void accept(final ConnectParameters parameters, final DirectBuffer privateData)
    {
        require(phase == Phase.REQUESTED && queuePair != null, "accept");
        checkLength(privateData, ConnectionManager.MAX_ACCEPT_PRIVATE_DATA);
        device.lock().lock();
        try
        {
            phase = Phase.ACCEPTED;
            if (connection.state() == CmState.REQ_RECEIVED)         // else the peer gave up: its event tells
            {
                device.agent().accept(connection, offer(parameters), privateData, System.nanoTime());
                queuePair.connect(connection.settings(), device.paths().of(connection, queuePair.number()));
            }
        }
        finally
        {
            device.lock().unlock();
        }
    }

    @Override
    public boolean reject(final DirectBuffer privateData)
    {
        require(phase == Phase.REQUESTED, "reject");
        checkLength(privateData, ConnectionManager.MAX_REJECT_PRIVATE_DATA);
        device.lock().lock();
        try
        {
            phase = Phase.ENDED;
            final boolean waits = connection.state() == CmState.REQ_RECEIVED;
            if (waits)
            {
                device.agent().reject(connection, privateData);
            }
            return waits;
        }
        finally
        {
            device.lock().unlock();
        }
    }

    @Override
    public void disconnect()
    {
        device.lock().lock();
        try
        {
            fail();
            if (connection != null)
            {
                device.agent().disconnect(connection, System.nanoTime());
            }
        }
        finally
        {
            device.lock().unlock();
        }
    }

    @Override
    public InetSocketAddress remoteAddress()
    {
        return remote;
    }

    @Override
    public QueuePair queuePair()
    {
        return queuePair;
    }

    /** The acceptor agreed. Called under the device's lock, as all below. */
    boolean onReply()
    {
        if (queuePair.isClosed() || queuePair.state() != QpState.INIT)
        {
            return false;
        }
        queuePair.connect(connection.settings(), device.paths().of(connection, queuePair.number()));
        return true;
    }

    boolean hasHeard()
    {
        return queuePair != null && queuePair.protocol().hasHeard();
    }

    void fail()
    {
        if (queuePair != null)
        {
            queuePair.failed();
        }
    }

    @Override
    protected int destroy()
    {
        if (queuePair != null && !queuePair.isClosed())
        {
            return Errno.EBUSY;
        }
        device.lock().lock();
        try
        {
            phase = Phase.ENDED;
            if (connection != null)
            {
                device.agent().abandon(connection, System.nanoTime());
            }
            manager.forget(this);
        }
        finally
        {
            device.lock().unlock();
        }
        return Errno.OK;
    }

    private CmOffer offer(final ConnectParameters parameters)
    {
        return new CmOffer(
            queuePair.number(), device.identifiers().psn(), parameters.retryCount(), parameters.rnrRetry(),
            parameters.ackTimeout(), parameters.trafficClass());
    }

    private void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new RdmaException(Errno.EINVAL, "cannot " + what + " in state " + phase +
                (queuePair == null ? " without a queue pair" : " with a queue pair"));
        }
    }

    private static void checkLength(final DirectBuffer data, final int limit)
    {
        if (data.capacity() > limit)
        {
            throw new RdmaException(
                Errno.EINVAL, "cannot send " + data.capacity() + " bytes of private data: at most " + limit);
        }
    }
}
