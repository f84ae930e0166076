package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.RdmaCmEvent;
import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventHandler;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The connection manager: an {@code rdma_event_channel} whose descriptor does not block. Each event is copied and
 * acknowledged before anything is done about it, as destroying an identifier waits for all of its events.
 */
final class VerbsConnectionManager extends ConnectionManager
{
    static final DirectBuffer NO_DATA = new UnsafeBuffer(new byte[0]);

    private static final int BACKLOG = 128;
    /** Reading the channel is a system call of about a microsecond; a busy duty cycle need not make it each time. */
    private static final long POLL_INTERVAL = 20_000;
    private static final int MOST_PRIVATE_DATA = 255;
    /** Asking for the port's state is a system call too. */
    private static final long PORT_INTERVAL = 50_000_000;

    private final VerbsDevice device;
    private final RdmaLibrary library;
    private final EventChannel channel;
    private final Map<Long, VerbsCmId> ids = new HashMap<>();
    private final Map<Long, VerbsCmListener> listeners = new HashMap<>();
    /** What calls found out themselves and tell as events, as the kernel would have. */
    private final Deque<CmEvent> own = new ArrayDeque<>();
    /**
     * Identifiers of connections that were closed while the port was down. Destroying one sends a message, and one that
     * cannot leave puts Soft-RoCE's queue pair for such messages into the error state, for good: no connection of the
     * device would ever work again.
     */
    private final List<Long> late = new ArrayList<>();
    private final MemorySegment slot = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    private CmEventHandler handler;
    /** Bound and no more: a device that nobody connects to or from tells of its removal only those that are bound. */
    private final long guard;
    private volatile boolean isRemoved;
    private long lastPort;
    private long lastPoll = System.nanoTime() - POLL_INTERVAL;

    VerbsConnectionManager(final VerbsDevice device, final EventChannel channel)
    {
        this.device = device;
        this.channel = channel;
        library = device.library();
        guard = channel.createId();
        try
        {
            channel.bind(guard, device.firstAddress(), 0);
        }
        catch (final RdmaException e)
        {
            channel.destroyId(guard);
            throw e;
        }
    }

    VerbsDevice device()
    {
        return device;
    }

    @Override
    public CmListener listen(final InetSocketAddress local, final Object context)
    {
        final InetAddress address = local.getAddress();
        if (!address.isAnyLocalAddress() && !device.hasAddress(address))
        {
            throw new RdmaException(Errno.EADDRNOTAVAIL, "cannot listen on " + address.getHostAddress() + ": " +
                device.name() + " has " + device.addressText());
        }
        final long handle = channel.createId();
        try
        {
            channel.bind(handle, address, local.getPort());
            final int error = library.listen.status(handle, BACKLOG, 0);
            if (error != Errno.OK)
            {
                throw new RdmaException(error, "cannot listen on " + local + " of " + device.name());
            }
        }
        catch (final RdmaException e)
        {
            channel.destroyId(handle);
            throw e;
        }
        final InetSocketAddress bound = SocketAddresses.read(handle + RdmaCmId.ROUTE_ADDR_SRC_ADDR);
        final VerbsCmListener listener = new VerbsCmListener(this, handle, bound, context);
        listeners.put(handle, listener);
        return listener;
    }

    @Override
    public CmId createId()
    {
        return adopt(channel.createId(), null);
    }

    private VerbsCmId adopt(final long handle, final InetSocketAddress asked)
    {
        final VerbsCmId id = new VerbsCmId(this, handle, asked);
        ids.put(handle, id);
        return id;
    }

    /** For the identifier of a connection that closes: as {@link #destroy}, but not before the port is up. */
    int destroyConnection(final long handle)
    {
        if (isReachable())
        {
            return destroy(handle);
        }
        ids.remove(handle);
        late.add(handle);
        lastPort = System.nanoTime();
        return Errno.OK;
    }

    /** Whether messages can leave, or it does not matter any more. */
    boolean isReachable()
    {
        return isRemoved || device.isPortUp();
    }

    /** Destroys what was closed while the port was down. */
    private void destroyLate()
    {
        late.forEach(channel::destroyId);
        late.clear();
    }

    /** Destroys all that is left. */
    void close()
    {
        destroyLate();
        channel.destroyId(guard);
    }

    boolean isRemoved()
    {
        return isRemoved;
    }

    /** For an identifier or a listener that closes: nothing is raised for it any more. */
    int destroy(final long handle)
    {
        ids.remove(handle);
        listeners.remove(handle);
        return channel.destroyId(handle);
    }

    @Override
    public int pollEvents(final CmEventHandler to)
    {
        final long now = System.nanoTime();
        if (now - lastPoll < POLL_INTERVAL)
        {
            return 0;
        }
        lastPoll = now;
        handler = to;
        if (!late.isEmpty() && now - lastPort > PORT_INTERVAL)
        {
            lastPort = now;
            if (isReachable())
            {
                destroyLate();
            }
        }
        int count = 0;
        for (CmEvent event = own.poll(); event != null; event = own.poll())
        {
            if (!event.id().isClosed())
            {
                handler.onCmEvent(event);
                count++;
            }
        }
        while (library.getCmEvent.succeeds(channel.address(), slot.address(), 0))
        {
            final long event = UnsafeApi.getLong(slot.address());
            final long id = UnsafeApi.getLong(event + RdmaCmEvent.ID);
            final long listener = UnsafeApi.getLong(event + RdmaCmEvent.LISTEN_ID);
            final int type = UnsafeApi.getInt(event + RdmaCmEvent.EVENT);
            final int status = UnsafeApi.getInt(event + RdmaCmEvent.STATUS);
            final DirectBuffer data = privateData(event);
            library.ackCmEvent.status(event);
            dispatch(type, id, listener, status, data);
            count++;
        }
        return count;
    }

    private static DirectBuffer privateData(final long event)
    {
        final long from = UnsafeApi.getLong(event + RdmaCmEvent.PARAM_CONN_PRIVATE_DATA);
        final int length =
            UnsafeApi.getByte(event + RdmaCmEvent.PARAM_CONN_PRIVATE_DATA_LEN) & MOST_PRIVATE_DATA;
        if (from == 0 || length == 0)
        {
            return NO_DATA;
        }
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = UnsafeApi.getByte(from + i);
        }
        return new UnsafeBuffer(bytes);
    }

    private void dispatch(
        final int type, final long handle, final long listenHandle, final int status, final DirectBuffer data)
    {
        if (type == Value.RDMA_CM_EVENT_DEVICE_REMOVAL)
        {
            isRemoved = true;
        }
        if (type == Value.RDMA_CM_EVENT_CONNECT_REQUEST)
        {
            onRequest(handle, listeners.get(listenHandle), data);
            return;
        }
        final VerbsCmId id = ids.get(handle);
        if (id != null)
        {
            id.onEvent(type, status, data);
            return;
        }
        final VerbsCmListener listener = listeners.get(handle);
        if (listener != null && type == Value.RDMA_CM_EVENT_DEVICE_REMOVAL)
        {
            handler.onCmEvent(new CmEvent(CmEventType.DEVICE_REMOVAL, null, listener, status, NO_DATA));
        }
    }

    private void onRequest(final long handle, final VerbsCmListener listener, final DirectBuffer data)
    {
        if (ids.containsKey(handle))
        {
            return;                         // a request has an identifier of its own
        }
        // A listener on all addresses hears requests to other devices too; a closed one may have had some waiting.
        final InetSocketAddress peer = SocketAddresses.read(handle + RdmaCmId.ROUTE_ADDR_DST_ADDR);
        if (listener == null || UnsafeApi.getLong(handle + RdmaCmId.VERBS) != device.context().address() ||
            peer == null || !device.admits(peer.getAddress()))
        {
            library.reject.status(handle, 0, 0);
            channel.destroyId(handle);
            return;
        }
        final VerbsCmId id = adopt(handle, peer);
        handler.onCmEvent(new CmEvent(CmEventType.CONNECT_REQUEST, id, listener, 0, data));
    }

    /** Raises an event in the next poll, for a call that fails where its contract promises an event. */
    void raiseLater(final CmEventType type, final VerbsCmId id, final int status)
    {
        own.add(new CmEvent(type, id, null, status, NO_DATA));
    }

    void raise(final CmEventType type, final VerbsCmId id, final int status, final DirectBuffer data)
    {
        handler.onCmEvent(new CmEvent(type, id, null, status, data));
    }
}
