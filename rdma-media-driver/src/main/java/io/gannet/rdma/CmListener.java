package io.gannet.rdma;

import java.net.InetSocketAddress;

/**
 * A listening identifier. Closing it leaves connections, and requests already reported, alone.
 */
public abstract class CmListener extends RdmaResource
{
    private final Object context;

    protected CmListener(final ResourceCounts counts, final Object context)
    {
        super(counts, ResourceKind.CM_LISTENER);
        this.context = context;
    }

    /** {@return what the caller gave to {@link ConnectionManager#listen}} */
    public final Object context()
    {
        return context;
    }

    /** {@return the address with the port that was really taken} */
    public abstract InetSocketAddress localAddress();
}
