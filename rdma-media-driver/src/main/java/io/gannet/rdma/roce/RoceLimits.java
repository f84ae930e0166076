package io.gannet.rdma.roce;

import io.gannet.rdma.DeviceLimits;
import io.gannet.rdma.Transport;

/**
 * What a software NIC grants. Memory is the real limit; these keep a mistake from taking all of it.
 */
final class RoceLimits
{
    static final int MAX_QUEUE_PAIRS = 65_536;
    static final int MAX_QUEUE_DEPTH = 32_768;
    static final int MAX_COMPLETIONS = 1 << 20;
    static final int MAX_REGIONS = 1 << 20;
    private static final int MAX_COMPLETION_QUEUES = 65_536;
    private static final long MAX_REGION_BYTES = 1L << 40;
    private static final int MAX_MESSAGE = 1 << 30;

    static final DeviceLimits LIMITS = new DeviceLimits(
        Transport.ROCE_V2, MAX_QUEUE_PAIRS, MAX_QUEUE_DEPTH, MAX_COMPLETION_QUEUES, MAX_COMPLETIONS, MAX_REGIONS,
        MAX_REGION_BYTES, MAX_MESSAGE, true, true);

    private RoceLimits()
    {
    }
}
