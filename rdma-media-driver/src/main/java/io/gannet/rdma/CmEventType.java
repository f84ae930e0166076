package io.gannet.rdma;

/**
 * What the connection manager reports, in the terms of {@code rdma_cm_event_type}. Any of them may come in any state.
 */
public enum CmEventType
{
    /** Address and route are known: a queue pair can be made. */
    ROUTE_RESOLVED,
    ADDR_ERROR,
    ROUTE_ERROR,
    /** A connector asks; the event's identifier is new, and the receiver of the event has to close it. */
    CONNECT_REQUEST,
    CONNECT_ERROR,
    UNREACHABLE,
    /** The peer, or its host because nobody listens there, said no. */
    REJECTED,
    ESTABLISHED,
    /** The peer ended the connection, or answered our end. The own queue pair is left as it was. */
    DISCONNECTED,
    /** The device goes away: everything made from it is to be closed. */
    DEVICE_REMOVAL,
    ADDR_CHANGE,
    TIMEWAIT_EXIT
}
