package io.gannet.rdma;

/**
 * What a device hands out and counts.
 */
public enum ResourceKind
{
    PROTECTION_DOMAIN, MEMORY_REGION, COMPLETION_CHANNEL, COMPLETION_QUEUE, QUEUE_PAIR, CM_ID, CM_LISTENER
}
