package io.gannet.rdma.roce;

import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.roce.rc.Region;

/**
 * Registered memory. It is not pinned: the NIC reaches it as this process does.
 */
final class RoceMemoryRegion extends MemoryRegion
{
    private final RoceDevice device;
    private final RoceProtectionDomain domain;
    private final Region region;

    RoceMemoryRegion(final RoceDevice device, final RoceProtectionDomain domain, final Region region)
    {
        super(device.resources());
        this.device = device;
        this.domain = domain;
        this.region = region;
    }

    @Override
    public long address()
    {
        return region.address();
    }

    @Override
    public long length()
    {
        return region.length();
    }

    @Override
    public int lkey()
    {
        return region.lkey();
    }

    @Override
    public int rkey()
    {
        return region.rkey();
    }

    @Override
    protected int destroy()
    {
        device.regions().deregister(region, domain);
        return Errno.OK;
    }
}
