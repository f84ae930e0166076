package io.gannet.os;

/**
 * A system call that failed in a way that the caller can't mend. The message reads "cannot map 4194304 bytes of
 * /dev/shm/x: ENOMEM, not enough memory. Raise vm.max_map_count".
 */
public final class OsException extends RuntimeException
{
    private final int errno;

    /**
     * Makes one.
     *
     * @param attempt what was tried on what, to follow "cannot".
     * @param errno   the error number, positive, or 0 when the problem wasn't the kernel's.
     * @param remedy  a sentence without full stop, or an empty string.
     */
    public OsException(final String attempt, final int errno, final String remedy)
    {
        super("cannot " + attempt + (errno == 0 ? "" : ": " + Errno.describe(errno)) +
            (remedy.isEmpty() ? "" : ". " + remedy));
        this.errno = errno;
    }

    /** Error number, or 0. */
    public int errno()
    {
        return errno;
    }

    static long check(final long result, final String attempt)
    {
        return check(result, attempt, "");
    }

    static long check(final long result, final String attempt, final String remedy)
    {
        if (result < 0 && result >= -4095)
        {
            throw new OsException(attempt, (int) -result, remedy);
        }
        return result;
    }
}
