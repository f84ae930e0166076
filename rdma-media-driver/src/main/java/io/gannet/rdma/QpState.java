package io.gannet.rdma;

/**
 * State of a queue pair.
 */
public enum QpState
{
    RESET, INIT, RTR, RTS, ERR
}
