package io.gannet.rdma.roce;

import io.gannet.rdma.CmListener;
import io.gannet.rdma.Errno;
import java.net.InetSocketAddress;

/**
 * A listening port.
 */
final class RoceCmListener extends CmListener
{
    private final RoceConnectionManager manager;
    private final InetSocketAddress address;

    RoceCmListener(
        final RoceDevice device,
        final RoceConnectionManager manager,
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
        manager.unlisten(this);
        return Errno.OK;
    }
}
