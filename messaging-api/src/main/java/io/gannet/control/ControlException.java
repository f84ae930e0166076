package io.gannet.control;

/**
 * A file of the directory that isn't there, may not be opened, or isn't what it should be.
 */
public final class ControlException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Reason
    {
        /** There is no such file or directory. */
        MISSING,
        /** It may not be opened by this user. */
        NO_PERMISSION,
        /** It is there, but not filled yet. */
        INCOMPLETE,
        /** It was made by a version that this one doesn't know. */
        WRONG_VERSION,
        /** Its bytes make no sense. */
        CORRUPT,
        /** Another living process owns it. */
        IN_USE,
        /** The file system can't hold it: no room, or not memory. */
        STORAGE
    }

    private final Reason reason;

    ControlException(final Reason reason, final String message)
    {
        super(message);
        this.reason = reason;
    }

    ControlException(final Reason reason, final String message, final Throwable cause)
    {
        super(message, cause);
        this.reason = reason;
    }

    /** What is wrong. */
    public Reason reason()
    {
        return reason;
    }
}
