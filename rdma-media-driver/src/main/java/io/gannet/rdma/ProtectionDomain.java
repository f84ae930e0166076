package io.gannet.rdma;

/**
 * A protection domain: queue pairs reach only memory regions of their own.
 */
public abstract class ProtectionDomain extends RdmaResource
{
    protected ProtectionDomain(final ResourceCounts counts)
    {
        super(counts, ResourceKind.PROTECTION_DOMAIN);
    }

    /**
     * Pins memory and makes it known to the device. The memory must stay mapped, and its file untouched in size, until
     * the region is closed.
     *
     * @param address first byte.
     * @param length  bytes, in [1, {@link DeviceLimits#maxRegionBytes}].
     * @param access  of {@link Access}. A region without {@link Access#REMOTE_WRITE} has no rkey.
     * @throws RdmaException with needed and available numbers and the remedy where memory cannot be pinned.
     */
    public abstract MemoryRegion register(long address, long length, int access);
}
