package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvMr;

import io.gannet.rdma.Access;
import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import org.agrona.UnsafeApi;

/**
 * Registered memory: an {@code ibv_mr}.
 */
final class VerbsMemoryRegion extends MemoryRegion
{
    private final VerbsProtectionDomain domain;
    private final long handle;
    private final long address;
    private final long length;
    private final int lkey;
    private final int rkey;

    VerbsMemoryRegion(
        final VerbsProtectionDomain domain, final long handle, final long address, final long length, final int access)
    {
        super(domain.device().resources());
        this.domain = domain;
        this.handle = handle;
        this.address = address;
        this.length = length;
        lkey = UnsafeApi.getInt(handle + IbvMr.LKEY);
        // Some devices give every region an rkey; it opens nothing without the access flag.
        rkey = (access & Access.REMOTE_WRITE) == 0 ? 0 : UnsafeApi.getInt(handle + IbvMr.RKEY);
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

    @Override
    protected int destroy()
    {
        final int error = domain.device().closing(domain.device().library().deregMr.status(handle));
        if (error == Errno.OK)
        {
            domain.release();
        }
        return error;
    }

    @Override
    public String toString()
    {
        return "memory region of " + length + " bytes";
    }
}
