package io.gannet.rdma;

import java.net.InetSocketAddress;

/**
 * Sets up and ends connections, as rdma_cm does. One thread makes all calls, on this, on its listeners and on its
 * {@link CmId}s, and reads the events.
 */
public abstract class ConnectionManager
{
    /** Bytes of private data that a connector can send. */
    public static final int MAX_CONNECT_PRIVATE_DATA = 56;
    /** Bytes of private data that an acceptor can answer. */
    public static final int MAX_ACCEPT_PRIVATE_DATA = 196;
    /** Bytes of private data in a rejection. */
    public static final int MAX_REJECT_PRIVATE_DATA = 148;

    /**
     * Listens for connectors.
     *
     * @param local   an address of the device, or the wildcard; port 0 takes a free one.
     * @param context the caller's, see {@link CmListener#context()}.
     * @throws RdmaException with {@link Errno#EADDRINUSE} or {@link Errno#EADDRNOTAVAIL}.
     */
    public abstract CmListener listen(InetSocketAddress local, Object context);

    /**
     * {@return an identifier to connect with; its first step is {@link CmId#resolve}}
     *
     * @throws RdmaException if the device has no more.
     */
    public abstract CmId createId();

    /** {@return whether events wait, as far as a load tells; any thread. False where only a system call tells it} */
    public boolean hasEvents()
    {
        return false;
    }

    /**
     * Hands over the events that have come, without waiting. In the handler every call is allowed, closing the event's
     * identifier too.
     *
     * @return events handed over.
     */
    public abstract int pollEvents(CmEventHandler handler);
}
