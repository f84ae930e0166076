package io.gannet.rdma.roce;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventHandler;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.cm.CmAgent;
import io.gannet.rdma.roce.cm.CmConnection;
import io.gannet.rdma.roce.cm.CmHandler;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The connection manager: turns what the agent reports, on the NIC's thread, into events for the caller's.
 */
final class RoceConnectionManager extends ConnectionManager implements CmHandler
{
    static final DirectBuffer NO_DATA = new UnsafeBuffer(new byte[0]);

    private final RoceDevice device;
    private final Queue<Pending> events = new ConcurrentLinkedQueue<>();

    RoceConnectionManager(final RoceDevice device)
    {
        this.device = device;
    }

    @Override
    public CmListener listen(final InetSocketAddress local, final Object context)
    {
        if (!local.getAddress().isAnyLocalAddress() && !local.getAddress().equals(device.address()))
        {
            throw new RdmaException(Errno.EADDRNOTAVAIL, "cannot listen on " + local.getAddress().getHostAddress() +
                ": " + device.name() + " has the address " + device.address().getHostAddress());
        }
        device.lock().lock();
        try
        {
            final CmAgent agent = device.agent();
            int port = local.getPort();
            while (port == 0 || (local.getPort() == 0 && agent.isListening(port)))
            {
                port = device.identifiers().port();
            }
            if (agent.isListening(port))
            {
                throw new RdmaException(
                    Errno.EADDRINUSE, "cannot listen on port " + port + " of " + device.name() + " twice");
            }
            final RoceCmListener listener =
                new RoceCmListener(device, this, new InetSocketAddress(device.address(), port), context);
            agent.listen(port, listener);
            return listener;
        }
        finally
        {
            device.lock().unlock();
        }
    }

    @Override
    public CmId createId()
    {
        return new RoceCmId(device, this);
    }

    @Override
    public boolean hasEvents()
    {
        return !events.isEmpty();
    }

    @Override
    public int pollEvents(final CmEventHandler handler)
    {
        int count = 0;
        for (Pending pending = events.poll(); pending != null; pending = events.poll())
        {
            final CmEvent event = pending.type == CmEventType.CONNECT_REQUEST ? request(pending) : pending.event();
            if (event != null)
            {
                handler.onCmEvent(event);
                count++;
            }
        }
        return count;
    }

    void raise(final CmEventType type, final RoceCmId id, final int status, final DirectBuffer privateData)
    {
        events.add(new Pending(type, id, null, null, status, copy(privateData)));
    }

    void forget(final RoceCmId id)
    {
        events.removeIf(pending -> id.equals(pending.id));
    }

    /** Refuses requests to the port that nobody has seen yet. */
    void unlisten(final RoceCmListener listener)
    {
        device.lock().lock();
        try
        {
            device.agent().unlisten(listener.localAddress().getPort());
            final Iterator<Pending> iterator = events.iterator();
            while (iterator.hasNext())
            {
                final Pending pending = iterator.next();
                if (listener.equals(pending.listener))
                {
                    iterator.remove();
                    device.agent().abandon(pending.connection, System.nanoTime());
                }
            }
        }
        finally
        {
            device.lock().unlock();
        }
    }

    @Override
    public void onRequest(final CmConnection connection, final Object context, final UnsafeBuffer privateData)
    {
        events.add(new Pending(
            CmEventType.CONNECT_REQUEST, null, (RoceCmListener) context, connection, 0, copy(privateData)));
    }

    @Override
    public boolean onReply(final CmConnection connection)
    {
        return id(connection).onReply();
    }

    @Override
    public void onEstablished(final CmConnection connection, final UnsafeBuffer privateData)
    {
        raise(CmEventType.ESTABLISHED, id(connection), 0, privateData);
    }

    @Override
    public void onRejected(final CmConnection connection, final int reason, final UnsafeBuffer privateData)
    {
        end(connection, CmEventType.REJECTED, reason, privateData);
    }

    @Override
    public void onUnreachable(final CmConnection connection)
    {
        end(connection, CmEventType.UNREACHABLE, -Errno.ETIMEDOUT, NO_DATA);
    }

    @Override
    public void onDisconnected(final CmConnection connection, final boolean timedOut)
    {
        if (connection.context() == null)
        {
            forgetRequest(connection);
        }
        else
        {
            raise(CmEventType.DISCONNECTED, id(connection), timedOut ? -Errno.ETIMEDOUT : 0, NO_DATA);
        }
    }

    @Override
    public boolean hasHeard(final CmConnection connection)
    {
        return id(connection).hasHeard();
    }

    private void end(
        final CmConnection connection, final CmEventType type, final int status, final DirectBuffer privateData)
    {
        if (connection.context() == null)
        {
            forgetRequest(connection);
        }
        else
        {
            id(connection).fail();
            raise(type, id(connection), status, privateData);
        }
    }

    private void forgetRequest(final CmConnection connection)
    {
        events.removeIf(pending -> connection.equals(pending.connection));
    }

    private CmEvent request(final Pending pending)
    {
        device.lock().lock();
        try
        {
            final RoceCmId id = RoceCmId.ofRequest(device, this, pending.connection);
            return new CmEvent(pending.type, id, pending.listener, 0, pending.privateData);
        }
        finally
        {
            device.lock().unlock();
        }
    }

    private static RoceCmId id(final CmConnection connection)
    {
        return (RoceCmId) connection.context();
    }

    private static DirectBuffer copy(final DirectBuffer data)
    {
        final byte[] bytes = new byte[data.capacity()];
        data.getBytes(0, bytes);
        return new UnsafeBuffer(bytes);
    }

    /** An event that is not handed over yet; a request has no identifier before. */
    private record Pending(
        CmEventType type,
        RoceCmId id,
        RoceCmListener listener,
        CmConnection connection,
        int status,
        DirectBuffer privateData)
    {
        CmEvent event()
        {
            return new CmEvent(type, id, null, status, privateData);
        }
    }
}
