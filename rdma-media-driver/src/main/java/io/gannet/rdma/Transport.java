package io.gannet.rdma;

/**
 * What a device speaks on the wire.
 */
public enum Transport
{
    INFINIBAND, ROCE_V2, IWARP
}
