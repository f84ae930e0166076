package io.gannet.rdma.sim;

/**
 * A completion on its way.
 *
 * @param sendSequence of the request in its send queue, which a poll frees up to here; -1 for a receive.
 */
record SimCompletion(
    SimQueuePair queuePair,
    long sendSequence,
    long wrId,
    int status,
    int opcode,
    int byteLength,
    int imm,
    int flags)
{
}
