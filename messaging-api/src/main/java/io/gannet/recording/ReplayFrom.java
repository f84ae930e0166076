package io.gannet.recording;

/**
 * Where a {@link ReplaySubscription} begins.
 */
public final class ReplayFrom
{
    private static final ReplayFrom START = new ReplayFrom(Kind.START, 0, 0);
    private static final ReplayFrom LIVE = new ReplayFrom(Kind.LIVE, 0, 0);

    private final Kind kind;
    private final int sessionId;
    private final long value;

    private enum Kind
    {
        START,
        TIME,
        POSITION,
        LIVE
    }

    private ReplayFrom(final Kind kind, final int sessionId, final long value)
    {
        this.kind = kind;
        this.sessionId = sessionId;
        this.value = value;
    }

    /** All that is recorded. */
    public static ReplayFrom start()
    {
        return START;
    }

    /** What was recorded at a time or later, in ns since 1970. */
    public static ReplayFrom time(final long epochNanos)
    {
        return new ReplayFrom(Kind.TIME, 0, epochNanos);
    }

    /**
     * What a session published from a position on, such as that of the last message that was dealt with; what is live
     * of other sessions.
     */
    public static ReplayFrom position(final int sessionId, final long position)
    {
        if (position < 0)
        {
            throw new IllegalArgumentException("position " + position + ": must be 0 or more");
        }
        return new ReplayFrom(Kind.POSITION, sessionId, position);
    }

    /** Nothing that is recorded, but for what the subscription misses later. */
    public static ReplayFrom live()
    {
        return LIVE;
    }

    boolean isLive()
    {
        return kind == Kind.LIVE;
    }

    /** The position asked for of a session; -1 if none was. */
    long positionOf(final int session)
    {
        return kind == Kind.POSITION && session == sessionId ? value : -1;
    }

    /** Moves a new reader to where this begins. */
    void seek(final RecordingReader reader)
    {
        if (kind == Kind.TIME)
        {
            reader.seekToTime(value, Long.MAX_VALUE);
        }
        else if (kind == Kind.POSITION)
        {
            reader.seekToPosition(sessionId, value, Long.MAX_VALUE);
        }
    }
}
