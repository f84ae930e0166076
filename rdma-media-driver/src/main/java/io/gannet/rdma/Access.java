package io.gannet.rdma;

/**
 * Access flags of a memory region, with the values of {@code ibv_access_flags}. READ, ATOMIC and relaxed ordering are
 * absent on purpose: no region of ours grants them.
 */
public final class Access
{
    /** The device may only read the region, for this host's own sends and writes. */
    public static final int LOCAL_READ = 0;
    /** The device may write received bytes into the region. */
    public static final int LOCAL_WRITE = 1;
    /** A peer that knows the rkey may write; needs {@link #LOCAL_WRITE} too. */
    public static final int REMOTE_WRITE = 2;

    private Access()
    {
    }
}
