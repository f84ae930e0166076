package io.gannet.rdma;

import java.net.InetSocketAddress;

import org.agrona.DirectBuffer;

/**
 * One side of one connection.
 * <pre>
 * connector: createId - resolve ... ROUTE_RESOLVED - createQueuePair, post receives - connect ... ESTABLISHED
 * acceptor:  CONNECT_REQUEST - createQueuePair, post receives - accept ... ESTABLISHED    (or reject, close)
 * end:       disconnect ... DISCONNECTED (not always) - close the queue pair - close
 * </pre>
 * Data may arrive at the acceptor before its ESTABLISHED. No call here waits, and none has a time limit of its own but
 * {@link #resolve}: a peer that never answers is the caller's to give up on.
 */
public abstract class CmId extends RdmaResource
{
    private Object context;

    protected CmId(final ResourceCounts counts)
    {
        super(counts, ResourceKind.CM_ID);
    }

    /** {@return what {@link #context(Object)} was given last, or null} */
    public final Object context()
    {
        return context;
    }

    /**
     * @param value whatever helps the caller to know the identifier again in an event.
     */
    public final void context(final Object value)
    {
        this.context = value;
    }

    /**
     * Finds address and route. Ends with {@link CmEventType#ROUTE_RESOLVED}, {@link CmEventType#ADDR_ERROR} or
     * {@link CmEventType#ROUTE_ERROR}.
     *
     * @param remote    a resolved address.
     * @param timeoutMs limit of the search.
     */
    public abstract void resolve(InetSocketAddress remote, int timeoutMs);

    /**
     * Makes the queue pair of this connection. Receives can be posted at once.
     *
     * @throws RdmaException with needed and available numbers where the device has no more, {@link Errno#EINVAL} in a
     *                       state before ROUTE_RESOLVED or CONNECT_REQUEST, or if there is one already.
     */
    public abstract QueuePair createQueuePair(ProtectionDomain domain, QpAttributes attributes);

    /**
     * Asks the peer. Ends with {@link CmEventType#ESTABLISHED}, {@link CmEventType#REJECTED},
     * {@link CmEventType#UNREACHABLE} or {@link CmEventType#CONNECT_ERROR}, or with nothing.
     *
     * @param privateData all of it is sent, at most {@link ConnectionManager#MAX_CONNECT_PRIVATE_DATA} bytes.
     * @throws RdmaException with {@link Errno#EINVAL} for too much data or in the wrong state.
     */
    public abstract void connect(ConnectParameters parameters, DirectBuffer privateData);

    /**
     * Takes a request.
     *
     * @param privateData all of it is sent, at most {@link ConnectionManager#MAX_ACCEPT_PRIVATE_DATA} bytes.
     * @throws RdmaException with {@link Errno#EINVAL} for too much data or in the wrong state.
     */
    public abstract void accept(ConnectParameters parameters, DirectBuffer privateData);

    /**
     * Refuses a request. The identifier is still to be closed.
     *
     * @param privateData all of it is sent, at most {@link ConnectionManager#MAX_REJECT_PRIVATE_DATA} bytes.
     * @return false if the peer has given up meanwhile, as far as the device knows.
     * @throws RdmaException with {@link Errno#EINVAL} for too much data or in the wrong state.
     */
    public abstract boolean reject(DirectBuffer privateData);

    /**
     * Ends the connection: moves the own queue pair to the error state and tells the peer. In any other state, or after
     * the peer has done so, only the first part. {@link CmEventType#DISCONNECTED} follows if the peer answers: some
     * providers do for it, others wait for its own {@code disconnect} or close, a minute if it does neither.
     */
    public abstract void disconnect();

    /** {@return the peer's address, or null before {@link #resolve}} */
    public abstract InetSocketAddress remoteAddress();

    /** {@return the queue pair, or null if none was made} */
    public abstract QueuePair queuePair();
}
