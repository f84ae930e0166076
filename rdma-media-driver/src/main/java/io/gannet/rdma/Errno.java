package io.gannet.rdma;

/**
 * The error numbers that verbs return, with Linux values.
 */
public final class Errno
{
    public static final int OK = 0;
    /** No such object. */
    public static final int ENOENT = 2;
    /** The hardware or its driver failed. */
    public static final int EIO = 5;
    /** Nothing there yet. */
    public static final int EAGAIN = 11;
    /** A queue is full, or memory, locked memory or a device table is exhausted. */
    public static final int ENOMEM = 12;
    /** No permission. */
    public static final int EACCES = 13;
    /** The resource still has children or users. */
    public static final int EBUSY = 16;
    /** The device is gone. */
    public static final int ENODEV = 19;
    /** A value out of range, or a call that the state forbids. */
    public static final int EINVAL = 22;
    /** The device cannot do that. */
    public static final int EOPNOTSUPP = 95;
    /** The address is taken. */
    public static final int EADDRINUSE = 98;
    /** The address is not one of this device. */
    public static final int EADDRNOTAVAIL = 99;
    /** The network is down. */
    public static final int ENETDOWN = 100;
    /** The peer did not answer in time. */
    public static final int ETIMEDOUT = 110;
    /** The host cannot be reached. */
    public static final int EHOSTUNREACH = 113;

    private Errno()
    {
    }

    /** {@return the symbol of the positive error number, or its digits when it is none of the above} */
    public static String name(final int errno)
    {
        return switch (errno)
        {
            case OK -> "OK";
            case ENOENT -> "ENOENT";
            case EIO -> "EIO";
            case EAGAIN -> "EAGAIN";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EBUSY -> "EBUSY";
            case ENODEV -> "ENODEV";
            case EINVAL -> "EINVAL";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case EADDRINUSE -> "EADDRINUSE";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL";
            case ENETDOWN -> "ENETDOWN";
            case ETIMEDOUT -> "ETIMEDOUT";
            case EHOSTUNREACH -> "EHOSTUNREACH";
            default -> Integer.toString(errno);
        };
    }
}
