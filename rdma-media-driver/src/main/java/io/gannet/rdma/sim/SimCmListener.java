package io.gannet.rdma.sim;

import java.net.InetSocketAddress;

import io.gannet.rdma.CmListener;
import io.gannet.rdma.Errno;

/**
 * A listening port.
 */
final class SimCmListener extends CmListener
{
    private final SimConnectionManager manager;
    private final InetSocketAddress address;

    SimCmListener(
        final SimDevice device,
        final SimConnectionManager manager,
        final InetSocketAddress address,
        final Object context)
    {
        super(device.resources(), context);
        this.manager = manager;
        this.address = address;
    }

    @Override
    public InetSocketAddress localAddress()
    {
        return address;
    }

    @Override
    protected int destroy()
    {
        manager.remove(this);
        return Errno.OK;
    }
}
