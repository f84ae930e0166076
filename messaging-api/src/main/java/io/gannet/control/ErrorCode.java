package io.gannet.control;

/**
 * Why a command failed or a publication ended. Codes are part of the protocol and never used again; clients take an
 * unknown one as {@link #GENERIC}.
 */
public enum ErrorCode
{
    /** Anything without a code of its own; the text tells. */
    GENERIC(0),
    /** The bytes of a command made no sense. */
    MALFORMED_COMMAND(1),
    /** The channel is not one that this driver can serve. */
    INVALID_CHANNEL(2),
    /** The registration that a command names doesn't exist. */
    UNKNOWN_REGISTRATION(3),
    /** The directory's file system has no room. */
    STORAGE_FULL(4),
    /** A limit of the driver's configuration is reached. */
    LIMIT_REACHED(5),
    /** Locked memory, file descriptors or another resource of the process or the device is used up. */
    SHORTAGE(6),
    /** Client and driver speak no common version. */
    VERSION_MISMATCH(7),
    /** A restarted driver could not take over a ring. */
    NOT_ADOPTED(8),
    /** The other host can't be reached, or was lost. */
    PEER_UNREACHABLE(9),
    /** The driver is closing. */
    DRIVER_CLOSING(10),
    /** The operation contradicts another one, for example two sessions of one id. */
    CONFLICT(11);

    private static final ErrorCode[] VALUES = values();

    private final int code;

    ErrorCode(final int code)
    {
        this.code = code;
    }

    /** The code on the wire. */
    public int code()
    {
        return code;
    }

    /** The constant of a wire code; {@link #GENERIC} for a code of a later version. */
    public static ErrorCode of(final int code)
    {
        return code >= 0 && code < VALUES.length ? VALUES[code] : GENERIC;
    }
}
