package io.gannet.rdma.verbs;

import io.gannet.rdma.CmListener;
import java.net.InetSocketAddress;

/**
 * A listening {@code rdma_cm_id}.
 */
final class VerbsCmListener extends CmListener
{
    private final VerbsConnectionManager manager;
    private final long handle;
    private final InetSocketAddress localAddress;

    VerbsCmListener(
        final VerbsConnectionManager manager,
        final long handle,
        final InetSocketAddress localAddress,
        final Object context)
    {
        super(manager.device().resources(), context);
        this.manager = manager;
        this.handle = handle;
        this.localAddress = localAddress;
    }

    @Override
    public InetSocketAddress localAddress()
    {
        return localAddress;
    }

    long handle()
    {
        return handle;
    }

    @Override
    protected int destroy()
    {
        return manager.destroy(handle);
    }

    @Override
    public String toString()
    {
        return "listener on " + localAddress;
    }
}
