package io.gannet.rdma.roce.cm;

/**
 * State of a connection.
 */
public enum CmState
{
    /** Connector: waits for REP. */
    REQ_SENT,
    /** Acceptor: the application has not answered yet. */
    REQ_RECEIVED,
    /** Acceptor: waits for RTU. */
    REP_SENT,
    /** Both sides may send. */
    ESTABLISHED,
    /** Waits for DREP. */
    DREQ_SENT,
    /** Over. */
    CLOSED
}
