package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvMr;

import io.gannet.rdma.Access;
import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;

/**
 * A protection domain: an {@code ibv_pd}.
 */
final class VerbsProtectionDomain extends ProtectionDomain
{
    private static final int EFAULT = 14;

    private final VerbsDevice device;
    private final long handle;
    private final AtomicInteger children = new AtomicInteger();

    VerbsProtectionDomain(final VerbsDevice device, final long handle)
    {
        super(device.resources());
        this.device = device;
        this.handle = handle;
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
        if (address <= 0 || address + length < 0 || (access & ~(Access.LOCAL_WRITE | Access.REMOTE_WRITE)) != 0)
        {
            throw new RdmaException(Errno.EINVAL, "cannot register " + length + " bytes at 0x" +
                Long.toHexString(address) + " with access " + access);
        }
        if ((access & Access.REMOTE_WRITE) != 0 && (access & Access.LOCAL_WRITE) == 0)
        {
            throw new RdmaException(Errno.EINVAL, "cannot register with REMOTE_WRITE alone: add LOCAL_WRITE");
        }
        final long region = device.library().regMr.pointer(handle, address, length, access, 0);
        if (region < 0)
        {
            throw refusal((int) -region, length);
        }
        if (UnsafeApi.getLong(region + IbvMr.LENGTH) != length || UnsafeApi.getLong(region + IbvMr.PD) != handle ||
            UnsafeApi.getLong(region + IbvMr.ADDR) != address)
        {
            device.library().deregMr.status(region);
            throw new RdmaException(Errno.EOPNOTSUPP, "cannot use " + Provider.file(RdmaLibrary.VERBS) +
                ": a region of " + length + " bytes reads back as one of " +
                UnsafeApi.getLong(region + IbvMr.LENGTH) + ", so its ibv_mr is laid out in another way");
        }
        children.incrementAndGet();
        return new VerbsMemoryRegion(this, region, address, length, access);
    }

    private RdmaException refusal(final int errno, final long length)
    {
        final String reason = switch (errno)
        {
            case Errno.ENOMEM -> LockedMemory.ofThisProcess().explain(length);
            case EFAULT -> "memory there cannot be pinned for a device: files on disk and DAX cannot, files on tmpfs " +
                "and hugetlbfs can";
            case Errno.EINVAL -> "the device refuses it; memory of huge pages is registered in whole pages";
            case Errno.ENODEV, Errno.EIO -> "the device is gone or has failed";
            default -> "the device refuses it";
        };
        return new RdmaException(
            errno, "cannot register " + length + " bytes with " + device.name() + ": " + reason);
    }

    VerbsDevice device()
    {
        return device;
    }

    long handle()
    {
        return handle;
    }

    void adopt()
    {
        children.incrementAndGet();
    }

    void release()
    {
        children.decrementAndGet();
    }

    @Override
    protected int destroy()
    {
        return children.get() != 0 ? Errno.EBUSY : device.closing(device.library().deallocPd.status(handle));
    }
}
