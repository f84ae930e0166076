package io.gannet.rdma.roce;

import io.gannet.rdma.Access;
import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaException;

/**
 * A protection domain: an identity that regions and queue pairs share.
 */
final class RoceProtectionDomain extends ProtectionDomain
{
    private final RoceDevice device;
    private int children;

    RoceProtectionDomain(final RoceDevice device)
    {
        super(device.resources());
        this.device = device;
    }

    @Override
    public MemoryRegion register(final long address, final long length, final int access)
    {
        final long limit = device.limits().maxRegionBytes();
        if (length < 1 || length > limit)
        {
            throw new RdmaException(
                Errno.EINVAL, "cannot register " + length + " bytes: a region has 1 to " + limit + " bytes");
        }
        if (address <= 0 || address + length < 0)
        {
            throw new RdmaException(
                Errno.EINVAL, "cannot register " + length + " bytes at 0x" + Long.toHexString(address));
        }
        if ((access & Access.REMOTE_WRITE) != 0 && (access & Access.LOCAL_WRITE) == 0)
        {
            throw new RdmaException(Errno.EINVAL, "cannot register with REMOTE_WRITE alone: add LOCAL_WRITE");
        }
        return device.regions().register(this, address, length, access);
    }

    void adopt()
    {
        children++;
    }

    void release()
    {
        children--;
    }

    boolean belongsTo(final RoceDevice other)
    {
        return device.equals(other);
    }

    @Override
    protected int destroy()
    {
        device.lock().lock();
        try
        {
            return children == 0 ? Errno.OK : Errno.EBUSY;
        }
        finally
        {
            device.lock().unlock();
        }
    }
}
