package io.gannet.rdma.roce.cm;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Told by the agent what becomes of connections. Private data is valid during the call.
 */
public interface CmHandler
{
    /** A connector asks; {@code context} is what {@link CmAgent#listen} was given. */
    void onRequest(CmConnection connection, Object context, UnsafeBuffer privateData);

    /**
     * The acceptor agreed: the queue pair must be ready before RTU leaves.
     *
     * @return false to refuse after all.
     */
    boolean onReply(CmConnection connection);

    /** Both sides are ready. {@code privateData} is the acceptor's at the connector, else empty. */
    void onEstablished(CmConnection connection, UnsafeBuffer privateData);

    /** The peer refused, or gave up on a connection that was up already. */
    void onRejected(CmConnection connection, int reason, UnsafeBuffer privateData);

    /** Nobody answers. */
    void onUnreachable(CmConnection connection);

    /**
     * The connection is over.
     *
     * @param timedOut whether the peer never answered our DREQ.
     */
    void onDisconnected(CmConnection connection, boolean timedOut);

    /** Whether the peer has used the queue pair already, which tells as much as its RTU. */
    boolean hasHeard(CmConnection connection);
}
