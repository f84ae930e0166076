package io.gannet.rdma;

/**
 * What a device reports unasked, in the terms of {@code ibv_event_type}. Devices differ: some never report a fatal
 * queue pair and some never report a dead peer, so nothing may depend on these alone.
 */
public enum AsyncEventType
{
    /** A completion queue overflowed: completions are lost for good. */
    CQ_ERR("a completion queue has overflowed"),
    QP_FATAL("a queue pair has failed"),
    QP_REQ_ERR("a queue pair got a request that is not valid"),
    QP_ACCESS_ERR("a queue pair got a request for memory that it may not touch"),
    /** A message came before the connection manager's last packet. */
    COMM_EST("a message came before the end of the set-up"),
    PORT_ACTIVE("the port is up"),
    PORT_ERR("the port is down"),
    GID_CHANGE("the port's addresses have changed"),
    DEVICE_FATAL("the device has failed");

    private final String text;

    AsyncEventType(final String text)
    {
        this.text = text;
    }

    /** {@return a clause for people} */
    public String text()
    {
        return text;
    }
}
