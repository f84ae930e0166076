package io.gannet.rdma;

/**
 * State of a port.
 */
public enum PortState
{
    DOWN, INIT, ARMED, ACTIVE
}
