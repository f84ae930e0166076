package io.gannet.rdma;

/**
 * What a queue pair is made with.
 *
 * @param sendQueue     completions of sends.
 * @param receiveQueue  completions of receives; may be the same.
 * @param sendDepth     work requests in the send queue, at least 1.
 * @param receiveDepth  work requests in the receive queue, at least 1.
 * @param maxInline     inline bytes wished for; the device grants what it can, see {@link QueuePair#maxInline()}.
 * @param minRnrTimer   what this side answers when it has no receive posted: a code of the InfiniBand table (1 = 10 us,
 *                      12 = 640 us, 14 = 1.28 ms; 0 = 655 ms, which nobody wants). In force from establishment at the
 *                      latest, so receives are posted before connect or accept.
 */
public record QpAttributes(
    CompletionQueue sendQueue,
    CompletionQueue receiveQueue,
    int sendDepth,
    int receiveDepth,
    int maxInline,
    int minRnrTimer)
{
}
