package io.gannet.rdma;

/**
 * What a device reports unasked, in the terms of {@code ibv_event_type}. Devices differ: some never report a fatal
 * queue pair and some never report a dead peer, so nothing may depend on these alone.
 */
public enum AsyncEventType
{
    /** A completion queue overflowed: completions are lost for good. */
    CQ_ERR,
    QP_FATAL,
    QP_REQ_ERR,
    QP_ACCESS_ERR,
    /** A message came before the connection manager's last packet. */
    COMM_EST,
    PORT_ACTIVE,
    PORT_ERR,
    GID_CHANGE,
    DEVICE_FATAL
}
