package io.gannet.ring;

/** What a ring is written by. */
public enum RingKind
{
    /** Not a ring. */
    NONE(0),
    /** One producer. */
    EXCLUSIVE(1),
    /** Any number of producers. */
    CONCURRENT(2),
    /** The NIC, on behalf of a producer on another host. */
    IMAGE(3);

    private static final RingKind[] KINDS = values();

    private final int code;

    RingKind(final int code)
    {
        this.code = code;
    }

    /** What stands for it in ring files. */
    int code()
    {
        return code;
    }

    /** The kind that a code stands for, {@link #NONE} if none. */
    public static RingKind of(final int code)
    {
        for (final RingKind kind : KINDS)
        {
            if (kind.code == code)
            {
                return kind;
            }
        }
        return NONE;
    }
}
