package io.gannet.rdma;

/**
 * Registered memory.
 */
public abstract class MemoryRegion extends RdmaResource
{
    protected MemoryRegion(final ResourceCounts counts)
    {
        super(counts, ResourceKind.MEMORY_REGION);
    }

    public abstract long address();

    public abstract long length();

    /** {@return key for this host's own work requests} */
    public abstract int lkey();

    /** {@return key for a peer's writes; 0 if the region does not allow them} */
    public abstract int rkey();
}
