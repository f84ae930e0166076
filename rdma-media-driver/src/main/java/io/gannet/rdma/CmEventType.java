package io.gannet.rdma;

/**
 * What the connection manager reports, in the terms of {@code rdma_cm_event_type}. Any of them may come in any state.
 */
public enum CmEventType
{
    /** Address and route are known: a queue pair can be made. */
    ROUTE_RESOLVED("the route is known"),
    ADDR_ERROR("no device of this host reaches the address"),
    ROUTE_ERROR("there is no route to the address"),
    /** A connector asks; the event's identifier is new, and the receiver of the event has to close it. */
    CONNECT_REQUEST("a connector asks"),
    CONNECT_ERROR("the connection could not be made"),
    UNREACHABLE("the host does not answer"),
    /** The peer, or its host because nobody listens there, said no. */
    REJECTED("the host refused"),
    ESTABLISHED("the connection is made"),
    /** The peer ended the connection, or answered our end. The own queue pair is left as it was. */
    DISCONNECTED("the host ended the connection"),
    /** The device goes away: everything made from it is to be closed. */
    DEVICE_REMOVAL("the device was removed"),
    ADDR_CHANGE("the device's address has changed"),
    TIMEWAIT_EXIT("the queue pair can be used again");

    private final String text;

    CmEventType(final String text)
    {
        this.text = text;
    }

    /** {@return a clause for people} */
    public String text()
    {
        return text;
    }
}
