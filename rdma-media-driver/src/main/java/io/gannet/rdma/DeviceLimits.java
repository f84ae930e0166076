package io.gannet.rdma;

/**
 * Limits and abilities of a device, fixed while it is open.
 *
 * @param transport           what it speaks.
 * @param maxQueuePairs       queue pairs.
 * @param maxQueueDepth       work requests in one send or receive queue.
 * @param maxCompletionQueues completion queues.
 * @param maxCompletions      completions in one queue.
 * @param maxMemoryRegions    memory regions.
 * @param maxRegionBytes      bytes of one memory region.
 * @param maxMessageBytes     bytes of one work request.
 * @param writeWithImm        whether a write can carry an immediate; if not, a small SEND follows the write.
 * @param needsWork           whether {@link RdmaDevice#doWork} must be called for anything to move.
 */
public record DeviceLimits(
    Transport transport,
    int maxQueuePairs,
    int maxQueueDepth,
    int maxCompletionQueues,
    int maxCompletions,
    int maxMemoryRegions,
    long maxRegionBytes,
    int maxMessageBytes,
    boolean writeWithImm,
    boolean needsWork)
{
}
