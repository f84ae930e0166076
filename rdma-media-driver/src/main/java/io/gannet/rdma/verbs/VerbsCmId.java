package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvQp;
import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.RdmaConnParam;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * One side of one connection: an {@code rdma_cm_id}.
 *
 * <p>The traffic class decides the route and is known with {@link #connect} only, so that {@code rdma_resolve_route} is
 * its first step; a failure there is a {@link CmEventType#CONNECT_ERROR}. Any event may come in any phase: one that the
 * phase does not wait for changes nothing here.
 */
final class VerbsCmId extends CmId
{
    enum Phase
    {
        IDLE, RESOLVING, RESOLVED, ROUTING, CONNECTING, REQUESTED, ACCEPTED, ESTABLISHED, ENDED
    }

    private static final int PARAMETERS = 0;
    private static final int PRIVATE_DATA = 32;
    private static final int OPTION = 288;
    private static final int SCRATCH = 320;

    private final VerbsConnectionManager manager;
    private final VerbsDevice device;
    private final RdmaLibrary library;
    private final long handle;
    private final MemorySegment scratch = Arena.ofAuto().allocate(SCRATCH, 8);
    private Phase phase;
    private InetSocketAddress remote;
    private int timeoutMs;
    private VerbsQueuePair queuePair;

    /**
     * @param asked address of the peer whose request this is, or null for a connector.
     */
    VerbsCmId(final VerbsConnectionManager manager, final long handle, final InetSocketAddress asked)
    {
        super(manager.device().resources());
        this.manager = manager;
        this.handle = handle;
        device = manager.device();
        library = device.library();
        remote = asked;
        phase = asked == null ? Phase.IDLE : Phase.REQUESTED;
    }

    @Override
    public void resolve(final InetSocketAddress to, final int timeout)
    {
        require(phase == Phase.IDLE && !to.isUnresolved(), "resolve " + to);
        remote = to;
        timeoutMs = timeout;
        final InetAddress source = device.addressTowards(to.getAddress());
        final int error = source == null ? Errno.EHOSTUNREACH : resolveAddress(source, to, timeout);
        phase = error == Errno.OK ? Phase.RESOLVING : Phase.ENDED;
        if (error != Errno.OK)
        {
            manager.raiseLater(CmEventType.ADDR_ERROR, this, -error);
        }
    }

    private int resolveAddress(final InetAddress source, final InetSocketAddress to, final int timeout)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long from = arena.allocate(SocketAddresses.SIZE, 8).address();
            final long peer = arena.allocate(SocketAddresses.SIZE, 8).address();
            SocketAddresses.write(from, source, 0);
            SocketAddresses.write(peer, to.getAddress(), to.getPort());
            return library.resolveAddr.status(handle, from, peer, timeout, 0);
        }
    }

    @Override
    public QueuePair createQueuePair(final ProtectionDomain domain, final QpAttributes attributes)
    {
        require((phase == Phase.RESOLVED || phase == Phase.REQUESTED) && queuePair == null, "create a queue pair");
        final VerbsProtectionDomain owner = (VerbsProtectionDomain) domain;
        final int inline = device.queuePairMaker().make(handle, owner, attributes);
        final long made = UnsafeApi.getLong(handle + RdmaCmId.QP);
        if (made == 0 || UnsafeApi.getLong(made + IbvQp.CONTEXT) != device.context().address() ||
            UnsafeApi.getLong(made + IbvQp.PD) != owner.handle() || UnsafeApi.getInt(made + IbvQp.QP_NUM) == 0)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, "cannot use " + Provider.file(RdmaLibrary.CM) +
                ": a queue pair of it does not read back, so its rdma_cm_id or ibv_qp is laid out in another way");
        }
        queuePair = new VerbsQueuePair(this, owner, made, attributes, inline);
        return queuePair;
    }

    @Override
    public void connect(final ConnectParameters parameters, final DirectBuffer privateData)
    {
        require(phase == Phase.RESOLVED && hasOpenQueuePair(), "connect");
        checkLength(privateData, ConnectionManager.MAX_CONNECT_PRIVATE_DATA);
        fill(parameters, privateData);
        setOption(Value.RDMA_OPTION_ID_TOS, parameters.trafficClass());
        setOption(Value.RDMA_OPTION_ID_ACK_TIMEOUT, parameters.ackTimeout());
        final int error = library.resolveRoute.status(handle, timeoutMs, 0);
        phase = error == Errno.OK ? Phase.ROUTING : Phase.ENDED;
        if (error != Errno.OK)
        {
            manager.raiseLater(CmEventType.CONNECT_ERROR, this, -error);
        }
    }

    @Override
    public void accept(final ConnectParameters parameters, final DirectBuffer privateData)
    {
        require(phase == Phase.REQUESTED && hasOpenQueuePair(), "accept");
        checkLength(privateData, ConnectionManager.MAX_ACCEPT_PRIVATE_DATA);
        fill(parameters, privateData);
        setOption(Value.RDMA_OPTION_ID_TOS, parameters.trafficClass());
        setOption(Value.RDMA_OPTION_ID_ACK_TIMEOUT, parameters.ackTimeout());
        final int error = library.accept.status(handle, scratch.address() + PARAMETERS, 0);
        if (error != Errno.OK)
        {
            // The peer may have given up meanwhile.
            phase = Phase.ENDED;
            queuePair.toError();
            manager.raiseLater(CmEventType.CONNECT_ERROR, this, -error);
            return;
        }
        phase = Phase.ACCEPTED;
        // librdmacm has moved the queue pair to ready-to-send in the call: no message has to wait for 655 ms.
        settle();
    }

    @Override
    public boolean reject(final DirectBuffer privateData)
    {
        require(phase == Phase.REQUESTED, "reject");
        checkLength(privateData, ConnectionManager.MAX_REJECT_PRIVATE_DATA);
        copy(privateData);
        phase = Phase.ENDED;
        return library.reject.status(handle, scratch.address() + PRIVATE_DATA, privateData.capacity()) == Errno.OK;
    }

    @Override
    public void disconnect()
    {
        if (queuePair != null)
        {
            queuePair.toError();
        }
        if ((phase == Phase.ACCEPTED || phase == Phase.ESTABLISHED || phase == Phase.CONNECTING) &&
            manager.isReachable())
        {
            // EINVAL if the peer was first; nothing is lost by that.
            library.disconnect.status(handle);
        }
        phase = phase == Phase.IDLE ? Phase.IDLE : Phase.ENDED;
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

    void onEvent(final int type, final int status, final DirectBuffer data)
    {
        switch (type)
        {
            case Value.RDMA_CM_EVENT_ADDR_RESOLVED -> onAddress();
            case Value.RDMA_CM_EVENT_ROUTE_RESOLVED -> onRoute();
            case Value.RDMA_CM_EVENT_ADDR_ERROR -> end(CmEventType.ADDR_ERROR, status, data);
            case Value.RDMA_CM_EVENT_ROUTE_ERROR ->
                end(phase == Phase.ROUTING ? CmEventType.CONNECT_ERROR : CmEventType.ROUTE_ERROR, status, data);
            case Value.RDMA_CM_EVENT_CONNECT_ERROR -> end(CmEventType.CONNECT_ERROR, status, data);
            case Value.RDMA_CM_EVENT_UNREACHABLE -> end(CmEventType.UNREACHABLE, status, data);
            case Value.RDMA_CM_EVENT_REJECTED -> end(CmEventType.REJECTED, status, data);
            case Value.RDMA_CM_EVENT_ESTABLISHED -> onEstablished(data);
            case Value.RDMA_CM_EVENT_DISCONNECTED -> manager.raise(CmEventType.DISCONNECTED, this, status, data);
            case Value.RDMA_CM_EVENT_DEVICE_REMOVAL -> manager.raise(CmEventType.DEVICE_REMOVAL, this, status, data);
            case Value.RDMA_CM_EVENT_ADDR_CHANGE -> manager.raise(CmEventType.ADDR_CHANGE, this, status, data);
            case Value.RDMA_CM_EVENT_TIMEWAIT_EXIT -> manager.raise(CmEventType.TIMEWAIT_EXIT, this, status, data);
            default ->
            {
                // CONNECT_RESPONSE comes when the queue pair was closed meanwhile; multicast is not used.
            }
        }
    }

    private void onAddress()
    {
        if (phase != Phase.RESOLVING)
        {
            return;
        }
        if (UnsafeApi.getLong(handle + RdmaCmId.VERBS) != device.context().address())
        {
            end(CmEventType.ROUTE_ERROR, -Errno.EHOSTUNREACH, VerbsConnectionManager.NO_DATA);
            return;
        }
        phase = Phase.RESOLVED;
        manager.raise(CmEventType.ROUTE_RESOLVED, this, 0, VerbsConnectionManager.NO_DATA);
    }

    private void onRoute()
    {
        if (phase != Phase.ROUTING)
        {
            return;
        }
        final int error = hasOpenQueuePair() ?
            library.connect.status(handle, scratch.address() + PARAMETERS, 0) : Errno.EINVAL;
        if (error != Errno.OK)
        {
            end(CmEventType.CONNECT_ERROR, -error, VerbsConnectionManager.NO_DATA);
            return;
        }
        phase = Phase.CONNECTING;
    }

    private void onEstablished(final DirectBuffer data)
    {
        if (phase == Phase.CONNECTING)
        {
            settle();
        }
        if (phase == Phase.CONNECTING || phase == Phase.ACCEPTED)
        {
            phase = Phase.ESTABLISHED;
        }
        manager.raise(CmEventType.ESTABLISHED, this, 0, data);
    }

    private void settle()
    {
        final int error = hasOpenQueuePair() ? queuePair.onConnected() : Errno.OK;
        if (error != Errno.OK)
        {
            device.note("an RNR timer of 655 ms stays on " + queuePair + ": ibv_modify_qp returned " +
                Errno.name(error));
        }
    }

    private void end(final CmEventType type, final int status, final DirectBuffer data)
    {
        phase = Phase.ENDED;
        if (queuePair != null)
        {
            queuePair.toError();
        }
        manager.raise(type, this, status, data);
    }

    private boolean hasOpenQueuePair()
    {
        return queuePair != null && !queuePair.isClosed();
    }

    private void fill(final ConnectParameters parameters, final DirectBuffer privateData)
    {
        copy(privateData);
        final long at = scratch.address() + PARAMETERS;
        UnsafeApi.setMemory(at, RdmaConnParam.SIZE, (byte) 0);
        UnsafeApi.putLong(
            at + RdmaConnParam.PRIVATE_DATA, privateData.capacity() == 0 ? 0 : scratch.address() + PRIVATE_DATA);
        UnsafeApi.putByte(at + RdmaConnParam.PRIVATE_DATA_LEN, (byte) privateData.capacity());
        // No READ and no ATOMIC: nobody gets the right to them.
        UnsafeApi.putByte(at + RdmaConnParam.RESPONDER_RESOURCES, (byte) 0);
        UnsafeApi.putByte(at + RdmaConnParam.INITIATOR_DEPTH, (byte) 0);
        UnsafeApi.putByte(at + RdmaConnParam.RETRY_COUNT, (byte) parameters.retryCount());
        UnsafeApi.putByte(at + RdmaConnParam.RNR_RETRY_COUNT, (byte) parameters.rnrRetry());
    }

    private void copy(final DirectBuffer data)
    {
        for (int i = 0; i < data.capacity(); i++)
        {
            UnsafeApi.putByte(scratch.address() + PRIVATE_DATA + i, data.getByte(i));
        }
    }

    private void setOption(final int option, final int value)
    {
        UnsafeApi.putByte(scratch.address() + OPTION, (byte) value);
        final int error = library.setOption.status(
            handle, Value.RDMA_OPTION_ID, option, scratch.address() + OPTION, 1);
        if (error != Errno.OK && device.limits().transport() != Transport.IWARP)
        {
            device.note((option == Value.RDMA_OPTION_ID_TOS ? "traffic class " : "ACK timeout ") + value +
                " was refused by rdma_set_option: " + Errno.name(error));
        }
    }

    /** Called when the queue pair closes. */
    void destroyQueuePair()
    {
        library.destroyQp.status(handle);
    }

    @Override
    protected int destroy()
    {
        if (hasOpenQueuePair())
        {
            return Errno.EBUSY;
        }
        phase = Phase.ENDED;
        return manager.destroyConnection(handle);
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

    @Override
    public String toString()
    {
        return "connection with " + remote + " in state " + phase;
    }
}
