package io.gannet.rdma.sim;

import io.gannet.rdma.Access;
import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaException;

/**
 * A protection domain that knows how many children it has.
 */
final class SimProtectionDomain extends ProtectionDomain
{
    private final SimDevice device;
    private int children;

    SimProtectionDomain(final SimDevice device)
    {
        super(device.resources());
        this.device = device;
    }

    @Override
    public MemoryRegion register(final long address, final long length, final int access)
    {
        if (address == 0 || length < 1 || length > device.limits().maxRegionBytes())
        {
            throw new RdmaException(Errno.EINVAL, "cannot register " + length + " bytes at " + address +
                ": length must be in [1, " + device.limits().maxRegionBytes() + "]");
        }
        if ((access & Access.REMOTE_WRITE) != 0 && (access & Access.LOCAL_WRITE) == 0)
        {
            throw new RdmaException(Errno.EINVAL, "REMOTE_WRITE access needs LOCAL_WRITE too");
        }
        return new SimMemoryRegion(device, this, address, length, access);
    }

    SimDevice device()
    {
        return device;
    }

    void adopt()
    {
        children++;
    }

    void release()
    {
        children--;
    }

    @Override
    protected int destroy()
    {
        return children == 0 ? Errno.OK : Errno.EBUSY;
    }
}
