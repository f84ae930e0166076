package io.gannet.rdma;

/**
 * Something that a device handed out: counted from creation to {@link #close()}.
 */
public abstract class RdmaResource implements AutoCloseable
{
    private final ResourceCounts counts;
    private final ResourceKind kind;
    private boolean closed;

    /**
     * Counts the resource. A subclass calls this only once nothing can fail any more, or closes itself on failure.
     */
    protected RdmaResource(final ResourceCounts counts, final ResourceKind kind)
    {
        this.counts = counts;
        this.kind = kind;
        counts.opened(kind);
    }

    /**
     * Gives the resource back. The second call does nothing.
     *
     * @throws RdmaException with {@link Errno#EBUSY} if something still depends on it; it then stays open.
     */
    @Override
    public final synchronized void close()
    {
        if (!closed)
        {
            final int errno = destroy();
            if (errno != Errno.OK)
            {
                throw new RdmaException(errno, "cannot close " + this + ": close what was made from it first");
            }
            closed = true;
            counts.closed(kind);
        }
    }

    /** {@return whether {@link #close()} has succeeded} */
    public final synchronized boolean isClosed()
    {
        return closed;
    }

    /**
     * Releases what the device holds.
     *
     * @return 0, or the positive error number that leaves the resource as it was.
     */
    protected abstract int destroy();

    @Override
    public String toString()
    {
        return kind.toString();
    }
}
