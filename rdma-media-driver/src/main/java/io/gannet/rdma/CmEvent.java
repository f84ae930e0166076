package io.gannet.rdma;

import org.agrona.DirectBuffer;

/**
 * An event of the connection manager, acknowledged already.
 *
 * @param type        what happened.
 * @param id          the identifier concerned, new with CONNECT_REQUEST; null if the event concerns a listener.
 * @param listener    the listener with CONNECT_REQUEST or an event of its own, else null.
 * @param status      0, a negative error number, or the reason of a rejection (28: by the peer, 8: nobody listens).
 * @param privateData the peer's with CONNECT_REQUEST, ESTABLISHED at the connector and REJECTED, else empty. It may be
 *                    padded with zeros up to the maximum: carry an own length.
 */
public record CmEvent(CmEventType type, CmId id, CmListener listener, int status, DirectBuffer privateData)
{
    /** Reason of a rejection by the peer's application. */
    public static final int STATUS_CONSUMER_REJECT = 28;
    /** Reason of a rejection by the peer's host, as nobody listens. */
    public static final int STATUS_INVALID_SERVICE_ID = 8;
}
