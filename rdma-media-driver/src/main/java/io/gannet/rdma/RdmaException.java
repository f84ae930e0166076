package io.gannet.rdma;

/**
 * A control call that failed: what was tried, the error number, and the remedy where one is known.
 */
public final class RdmaException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * @param errno   positive, of {@link Errno}.
     * @param message what was tried with which value, and the remedy; the name of the error is
     *                appended unless it is there.
     */
    public RdmaException(final int errno, final String message)
    {
        super(message.contains(Errno.name(errno)) ? message : message + " (" + Errno.name(errno) + ')');
        this.errno = errno;
    }

    /** {@return the positive error number} */
    public int errno()
    {
        return errno;
    }
}
