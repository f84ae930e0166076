package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventHandler;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;

/**
 * Connection manager of one simulated device: messages that get lost, come twice and are repeated.
 */
final class SimConnectionManager extends ConnectionManager
{
    static final DirectBuffer NO_DATA = new UnsafeBuffer(new byte[0]);

    private final SimDevice device;
    private final Map<Integer, SimCmListener> listeners = new HashMap<>();
    private final Map<Integer, SimCmId> ids = new LinkedHashMap<>();
    private final Map<Request, SimCmId> requests = new HashMap<>();
    private final ArrayDeque<CmEvent> events = new ArrayDeque<>();

    SimConnectionManager(final SimDevice device)
    {
        this.device = device;
    }

    @Override
    public CmListener listen(final InetSocketAddress local, final Object context)
    {
        if (!local.getAddress().isAnyLocalAddress() && !local.getAddress().equals(device.address()))
        {
            throw new RdmaException(Errno.EADDRNOTAVAIL, "cannot listen on " + local + ": " + device.name() +
                " has the address " + device.address().getHostAddress());
        }
        int port = local.getPort();
        while (port == 0 || (local.getPort() == 0 && listeners.containsKey(port)))
        {
            port = 1024 + (int) device.fabric().upTo(60_000);
        }
        if (listeners.containsKey(port))
        {
            throw new RdmaException(Errno.EADDRINUSE, "cannot listen on port " + port + " of " + device.name());
        }
        final SimCmListener listener =
            new SimCmListener(device, this, local.getAddress().isAnyLocalAddress(), port, context);
        listeners.put(port, listener);
        return listener;
    }

    @Override
    public CmId createId()
    {
        final SimCmId id = new SimCmId(device, this, newIdNumber());
        ids.put(id.number(), id);
        return id;
    }

    @Override
    public int pollEvents(final CmEventHandler handler)
    {
        int count = 0;
        for (CmEvent event = events.poll(); event != null && device.isAlive(); event = events.poll())
        {
            handler.onCmEvent(event);
            count++;
        }
        return count;
    }

    void raise(final CmEventType type, final SimCmId id, final int status, final DirectBuffer privateData)
    {
        if (device.isAlive() && !id.isClosed())
        {
            device.note(type.name(), id.number(), status);
            events.add(new CmEvent(type, id, null, status, privateData));
        }
    }

    void forgetEvents(final SimCmId id)
    {
        events.removeIf(event -> event.id() == id);
    }

    /** The device has another address now. */
    void onAddressChange()
    {
        for (final SimCmId id : List.copyOf(ids.values()))
        {
            if (id.queuePair() != null)
            {
                raise(CmEventType.ADDR_CHANGE, id, 0, NO_DATA);
            }
        }
    }

    void remove(final SimCmListener listener)
    {
        listeners.remove(listener.localAddress().getPort());
    }

    void remove(final SimCmId id)
    {
        ids.remove(id.number());
    }

    void disconnectAll()
    {
        for (final SimCmId id : List.copyOf(ids.values()))
        {
            id.disconnect();
        }
    }

    /**
     * Sends a message, which may get lost or arrive twice.
     */
    void send(final InetAddress to, final CmMessage message)
    {
        final SimFabric fabric = device.fabric();
        final SimProfile profile = fabric.profile();
        final int copies = fabric.chance(profile.cmDuplicate) ? 2 : 1;
        for (int i = 0; i < copies; i++)
        {
            if (!fabric.chance(profile.cmLoss) && fabric.reaches(device, to))
            {
                final boolean held = message.kind() != CmMessage.Kind.REQUEST && fabric.chance(profile.cmHeld);
                fabric.after(
                    fabric.wireTime() + (held ? fabric.upTo(profile.longestWire) : 0), () -> deliver(to, message));
            }
        }
    }

    private void deliver(final InetAddress to, final CmMessage message)
    {
        final SimDevice target = device.fabric().device(to);
        if (target != null && target.isAlive() && target.isPortUp())
        {
            target.note("cm " + message.kind(), message.fromId(), message.toId());
            target.sim().receive(message);
        }
    }

    private void receive(final CmMessage message)
    {
        if (message.kind() == CmMessage.Kind.REQUEST)
        {
            onRequest(message);
            return;
        }
        final SimCmId id = ids.get(message.toId());
        if (id != null)
        {
            id.receive(message);
        }
        else if (message.kind() == CmMessage.Kind.REPLY)
        {
            send(message.from(), answer(message, CmMessage.Kind.REJECT, CmEvent.STATUS_CONSUMER_REJECT));
        }
        else if (message.kind() == CmMessage.Kind.DISCONNECT_REQUEST)
        {
            send(message.from(), answer(message, CmMessage.Kind.DISCONNECT_REPLY, 0));
        }
    }

    private void onRequest(final CmMessage message)
    {
        final Request request = new Request(message.device(), message.fromId());
        final SimCmId known = requests.get(request);
        if (known != null)
        {
            known.repeatAnswer();
            return;
        }
        final SimCmListener listener = listeners.get(message.port());
        if (listener == null || !listener.isReachable())
        {
            send(message.from(), answer(message, CmMessage.Kind.REJECT, CmEvent.STATUS_INVALID_SERVICE_ID));
            return;
        }
        final SimCmId id = new SimCmId(device, this, newIdNumber());
        ids.put(id.number(), id);
        requests.put(request, id);
        id.onRequest(message);
        events.add(new CmEvent(CmEventType.CONNECT_REQUEST, id, listener, 0, message.privateData()));
    }

    private CmMessage answer(final CmMessage message, final CmMessage.Kind kind, final int status)
    {
        return new CmMessage(
            kind,
            device,
            device.address(),
            /* fromId= */ message.toId(),
            /* toId= */ message.fromId(),
            0,
            null,
            null,
            status,
            NO_DATA);
    }

    private int newIdNumber()
    {
        int number = device.newNumber();
        while (number == 0 || ids.containsKey(number))
        {
            number = device.newNumber();
        }
        return number;
    }

    private record Request(SimDevice from, int fromId)
    {
    }
}
