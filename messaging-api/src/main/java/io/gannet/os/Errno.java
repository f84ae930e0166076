package io.gannet.os;

import java.util.Map;

/** Error numbers of Linux (the same on all architectures supported) and their names. */
public final class Errno
{
    /** Not permitted. */
    public static final int EPERM = 1;
    /** No such file. */
    public static final int ENOENT = 2;
    /** Interrupted by a signal. */
    public static final int EINTR = 4;
    /** Try again. */
    public static final int EAGAIN = 11;
    /** Out of memory, or over a limit of it. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** Bad address. */
    public static final int EFAULT = 14;
    /** Exists already. */
    public static final int EEXIST = 17;
    /** Invalid argument. */
    public static final int EINVAL = 22;
    /** Too many open files here. */
    public static final int EMFILE = 24;
    /** File too large. */
    public static final int EFBIG = 27;
    /** No space left. */
    public static final int ENOSPC = 28;
    /** No reader on a pipe. */
    public static final int EPIPE = 32;
    /** Not implemented. */
    public static final int ENOSYS = 38;
    /** Not supported. */
    public static final int EOPNOTSUPP = 95;
    /** Timed out. */
    public static final int ETIMEDOUT = 110;
    /** Over quota. */
    public static final int EDQUOT = 122;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
        Map.entry(EPERM, "EPERM, not permitted"),
        Map.entry(ENOENT, "ENOENT, no such file or directory"),
        Map.entry(EINTR, "EINTR, interrupted"),
        Map.entry(5, "EIO, input or output error"),
        Map.entry(6, "ENXIO, no such device or reader"),
        Map.entry(9, "EBADF, bad file descriptor"),
        Map.entry(EAGAIN, "EAGAIN, try again"),
        Map.entry(ENOMEM, "ENOMEM, not enough memory or too many mappings"),
        Map.entry(EACCES, "EACCES, permission denied"),
        Map.entry(EFAULT, "EFAULT, bad address"),
        Map.entry(16, "EBUSY, busy"),
        Map.entry(EEXIST, "EEXIST, exists already"),
        Map.entry(19, "ENODEV, no such device"),
        Map.entry(20, "ENOTDIR, not a directory"),
        Map.entry(21, "EISDIR, is a directory"),
        Map.entry(EINVAL, "EINVAL, invalid argument"),
        Map.entry(23, "ENFILE, too many open files in the system"),
        Map.entry(EMFILE, "EMFILE, too many open files"),
        Map.entry(EFBIG, "EFBIG, file too large"),
        Map.entry(ENOSPC, "ENOSPC, no space left"),
        Map.entry(30, "EROFS, read-only file system"),
        Map.entry(EPIPE, "EPIPE, nobody reads"),
        Map.entry(36, "ENAMETOOLONG, name too long"),
        Map.entry(ENOSYS, "ENOSYS, not in this kernel"),
        Map.entry(40, "ELOOP, too many symbolic links"),
        Map.entry(EOPNOTSUPP, "EOPNOTSUPP, not supported"),
        Map.entry(98, "EADDRINUSE, address in use"),
        Map.entry(99, "EADDRNOTAVAIL, address not available"),
        Map.entry(101, "ENETUNREACH, network unreachable"),
        Map.entry(111, "ECONNREFUSED, connection refused"),
        Map.entry(ETIMEDOUT, "ETIMEDOUT, timed out"),
        Map.entry(EDQUOT, "EDQUOT, over quota"));

    private Errno()
    {
    }

    /** Name and meaning, as in "ENOSPC, no space left". */
    public static String describe(final int errno)
    {
        return NAMES.getOrDefault(errno, "errno " + errno);
    }
}
