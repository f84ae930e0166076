package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.net.InetSocketAddress;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;

/**
 * One side of a connection's set-up.
 */
final class SimCmId extends CmId
{
    private enum State
    {
        IDLE, RESOLVING, RESOLVED, CONNECTING, REQUESTED, ACCEPTING, ESTABLISHED, DISCONNECTING, ENDED
    }

    private final SimDevice device;
    private final SimConnectionManager manager;
    private final int number;
    private State state = State.IDLE;
    private InetSocketAddress remote;
    private int remoteId;
    private CmMessage request;
    private CmMessage answer;
    private ConnectParameters parameters;
    private SimQueuePair queuePair;

    SimCmId(final SimDevice device, final SimConnectionManager manager, final int number)
    {
        super(device.resources());
        this.device = device;
        this.manager = manager;
        this.number = number;
    }

    int number()
    {
        return number;
    }

    @Override
    public void resolve(final InetSocketAddress to, final int timeoutMs)
    {
        require(state == State.IDLE && !to.isUnresolved(), "resolve " + to);
        remote = to;
        state = State.RESOLVING;
        final SimFabric fabric = device.fabric();
        final boolean found = fabric.reaches(device, to.getAddress());
        fabric.after(found ? fabric.wireTime() : timeoutMs * 1_000_000L, () -> resolved(found));
    }

    private void resolved(final boolean found)
    {
        if (state == State.RESOLVING)
        {
            state = found ? State.RESOLVED : State.ENDED;
            manager.raise(
                found ? CmEventType.ROUTE_RESOLVED : CmEventType.ADDR_ERROR,
                this,
                found ? 0 : -Errno.ETIMEDOUT,
                SimConnectionManager.NO_DATA);
        }
    }

    @Override
    public QueuePair createQueuePair(final ProtectionDomain domain, final QpAttributes attributes)
    {
        require((state == State.RESOLVED || state == State.REQUESTED) && queuePair == null, "create a queue pair");
        SimQueuePair.check(device, attributes);
        queuePair = new SimQueuePair(device, (SimProtectionDomain) domain, attributes);
        return queuePair;
    }

    @Override
    public void connect(final ConnectParameters with, final DirectBuffer privateData)
    {
        require(state == State.RESOLVED && queuePair != null, "connect");
        checkLength(privateData, ConnectionManager.MAX_CONNECT_PRIVATE_DATA);
        parameters = with;
        state = State.CONNECTING;
        repeat(State.CONNECTING, message(CmMessage.Kind.REQUEST, 0, privateData), 0);
    }

    @Override
    public void accept(final ConnectParameters with, final DirectBuffer privateData)
    {
        checkLength(privateData, ConnectionManager.MAX_ACCEPT_PRIVATE_DATA);
        if (state == State.ENDED && request != null)
        {
            return;
        }
        require(state == State.REQUESTED && queuePair != null, "accept");
        parameters = with;
        state = State.ACCEPTING;
        connectQueuePair(request);
        answer = message(CmMessage.Kind.REPLY, 0, privateData);
        repeat(State.ACCEPTING, answer, 0);
    }

    @Override
    public boolean reject(final DirectBuffer privateData)
    {
        checkLength(privateData, ConnectionManager.MAX_REJECT_PRIVATE_DATA);
        if (state == State.ENDED && request != null)
        {
            return false;
        }
        require(state == State.REQUESTED, "reject");
        state = State.ENDED;
        answer = message(CmMessage.Kind.REJECT, CmEvent.STATUS_CONSUMER_REJECT, privateData);
        manager.send(peer(), answer);
        return true;
    }

    @Override
    public void disconnect()
    {
        if (queuePair != null)
        {
            queuePair.breakDown();
        }
        if (state == State.ACCEPTING || state == State.ESTABLISHED)
        {
            state = State.DISCONNECTING;
            repeat(
                State.DISCONNECTING,
                message(CmMessage.Kind.DISCONNECT_REQUEST, 0, SimConnectionManager.NO_DATA),
                0);
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

    void onRequest(final CmMessage message)
    {
        request = message;
        remoteId = message.fromId();
        remote = new InetSocketAddress(message.from(), message.port());
        state = State.REQUESTED;
    }

    void repeatAnswer()
    {
        if (answer != null && (state == State.ACCEPTING || state == State.ENDED))
        {
            manager.send(peer(), answer);
        }
    }

    void receive(final CmMessage message)
    {
        switch (message.kind())
        {
            case REPLY -> onReply(message);
            case READY -> onReady();
            case REJECT -> onReject(message);
            case DISCONNECT_REQUEST -> onDisconnectRequest();
            case DISCONNECT_REPLY -> end(state == State.DISCONNECTING);
            default -> throw new AssertionError(message.kind());
        }
    }

    private void onReply(final CmMessage message)
    {
        if (state == State.CONNECTING)
        {
            remoteId = message.fromId();
            connectQueuePair(message);
            state = State.ESTABLISHED;
            manager.raise(CmEventType.ESTABLISHED, this, 0, message.privateData());
        }
        if (state == State.ESTABLISHED)
        {
            manager.send(peer(), message(CmMessage.Kind.READY, 0, SimConnectionManager.NO_DATA));
        }
    }

    private void onReady()
    {
        if (state == State.ACCEPTING)
        {
            state = State.ESTABLISHED;
            manager.raise(CmEventType.ESTABLISHED, this, 0, SimConnectionManager.NO_DATA);
        }
    }

    private void onReject(final CmMessage message)
    {
        if (state == State.CONNECTING || state == State.ACCEPTING)
        {
            state = State.ENDED;
            queuePair.breakDown();
            manager.raise(CmEventType.REJECTED, this, message.status(), message.privateData());
            finish();
        }
    }

    private void onDisconnectRequest()
    {
        manager.send(peer(), message(CmMessage.Kind.DISCONNECT_REPLY, 0, SimConnectionManager.NO_DATA));
        end(state == State.DISCONNECTING || state == State.ESTABLISHED || state == State.ACCEPTING);
    }

    private void end(final boolean reported)
    {
        if (reported)
        {
            state = State.ENDED;
            manager.raise(CmEventType.DISCONNECTED, this, 0, SimConnectionManager.NO_DATA);
            finish();
        }
    }

    private void connectQueuePair(final CmMessage message)
    {
        // The connector's retry count holds for both; each side is as patient with RNR as the other asks it to be.
        final int retryCount = request == null ? parameters.retryCount() : request.parameters().retryCount();
        queuePair.connectTo(
            message.from(), message.queuePair(), retryCount, message.parameters().rnrRetry(), parameters.ackTimeout());
    }

    /** Sends a message again and again as long as the state waits for its answer. */
    private void repeat(final State waiting, final CmMessage message, final int tries)
    {
        if (state != waiting || (!device.isAlive() && tries > 0))
        {
            return;
        }
        if (tries < device.fabric().profile().cmTries)
        {
            manager.send(peer(), message);
            device.fabric().after(
                device.fabric().profile().cmRetryInterval, () -> repeat(waiting, message, tries + 1));
            return;
        }
        state = State.ENDED;
        if (waiting != State.DISCONNECTING)
        {
            queuePair.breakDown();
            manager.raise(CmEventType.UNREACHABLE, this, -Errno.ETIMEDOUT, SimConnectionManager.NO_DATA);
        }
        finish();
    }

    private CmMessage message(final CmMessage.Kind kind, final int status, final DirectBuffer privateData)
    {
        final byte[] copy = new byte[privateData.capacity()];
        privateData.getBytes(0, copy);
        return new CmMessage(
            kind,
            device,
            device.address(),
            number,
            remoteId,
            remote.getPort(),
            queuePair,
            parameters,
            status,
            new UnsafeBuffer(copy));
    }

    private InetAddress peer()
    {
        return remote.getAddress();
    }

    private void require(final boolean condition, final String what)
    {
        if (!condition || isClosed())
        {
            throw new RdmaException(Errno.EINVAL, "cannot " + what + " in state " + state);
        }
    }

    private static void checkLength(final DirectBuffer privateData, final int most)
    {
        if (privateData.capacity() > most)
        {
            throw new RdmaException(Errno.EINVAL,
                "private data of " + privateData.capacity() + " bytes, at most " + most + " fit");
        }
    }

    private void finish()
    {
        if (isClosed())
        {
            manager.remove(this);
        }
    }

    @Override
    protected int destroy()
    {
        if (queuePair != null && !queuePair.isClosed())
        {
            return Errno.EBUSY;
        }
        manager.forgetEvents(this);
        if (state == State.REQUESTED)
        {
            reject(SimConnectionManager.NO_DATA);
        }
        disconnect();
        if (state == State.IDLE || state == State.RESOLVING || state == State.RESOLVED || state == State.CONNECTING)
        {
            state = State.ENDED;
        }
        if (state == State.ENDED)
        {
            manager.remove(this);
        }
        return Errno.OK;
    }
}
