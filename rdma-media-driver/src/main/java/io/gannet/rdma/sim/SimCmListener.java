package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.gannet.rdma.CmListener;
import io.gannet.rdma.Errno;

/**
 * A listening port.
 */
final class SimCmListener extends CmListener
{
    private final SimDevice device;
    private final SimConnectionManager manager;
    /** Null if it listens at any address. */
    private final InetAddress bound;
    private final int port;

    SimCmListener(
        final SimDevice device,
        final SimConnectionManager manager,
        final boolean anyAddress,
        final int port,
        final Object context)
    {
        super(device.resources(), context);
        this.device = device;
        this.manager = manager;
        this.port = port;
        bound = anyAddress ? null : device.address();
    }

    @Override
    public InetSocketAddress localAddress()
    {
        return new InetSocketAddress(bound == null ? device.address() : bound, port);
    }

    /** {@return whether its device still has the address at which it listens} */
    boolean isReachable()
    {
        return bound == null || bound.equals(device.address());
    }

    @Override
    protected int destroy()
    {
        manager.remove(this);
        return Errno.OK;
    }
}
