package io.gannet.rdma.sim;

import io.gannet.rdma.Access;
import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;

/**
 * A memory region with random, unrelated keys.
 */
final class SimMemoryRegion extends MemoryRegion
{
    private final SimDevice device;
    private final SimProtectionDomain domain;
    private final long address;
    private final long length;
    private final int access;
    private final int lkey;
    private final int rkey;

    SimMemoryRegion(
        final SimDevice device,
        final SimProtectionDomain domain,
        final long address,
        final long length,
        final int access)
    {
        super(device.resources());
        this.device = device;
        this.domain = domain;
        this.address = address;
        this.length = length;
        this.access = access;
        this.lkey = device.add(this);
        this.rkey = (access & Access.REMOTE_WRITE) != 0 ? device.add(this) : 0;
        domain.adopt();
    }

    @Override
    public long address()
    {
        return address;
    }

    @Override
    public long length()
    {
        return length;
    }

    @Override
    public int lkey()
    {
        return lkey;
    }

    @Override
    public int rkey()
    {
        return rkey;
    }

    boolean allowsLocal(
        final SimProtectionDomain by, final int key, final long from, final long bytes, final int needed)
    {
        return key == lkey && (access & needed) == needed && covers(by, from, bytes);
    }

    boolean allowsRemoteWrite(final SimProtectionDomain by, final int key, final long from, final long bytes)
    {
        return key == rkey && rkey != 0 && covers(by, from, bytes);
    }

    private boolean covers(final SimProtectionDomain by, final long from, final long bytes)
    {
        return by == domain && from >= address && bytes <= length && from - address <= length - bytes;
    }

    @Override
    protected int destroy()
    {
        device.remove(lkey);
        if (rkey != 0)
        {
            device.remove(rkey);
        }
        domain.release();
        return Errno.OK;
    }
}
