package io.gannet.rdma.roce.rc;

/**
 * Sizes of work and completion queues.
 */
final class Queues
{
    private Queues()
    {
    }

    /** The power of two that holds {@code depth}. */
    static int sizeFor(final int depth)
    {
        return depth <= 1 ? 1 : Integer.highestOneBit(depth - 1) << 1;
    }
}
