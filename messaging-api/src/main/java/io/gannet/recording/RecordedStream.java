package io.gannet.recording;

/**
 * A stream that a {@link Recorder} records, or has recorded. Thread-safe.
 */
public final class RecordedStream
{
    private final int sessionId;
    private final int number;
    private final boolean lost;
    private final boolean old;
    private volatile long recorded;
    private volatile boolean live;
    private volatile boolean started;

    /** Of the polling thread. */
    private long end;
    private boolean ended;

    RecordedStream(
        final int sessionId,
        final int number,
        final long end,
        final boolean ended,
        final boolean lost,
        final boolean old)
    {
        this.sessionId = sessionId;
        this.number = number;
        this.end = end;
        this.ended = ended;
        this.lost = lost;
        this.old = old;
        recorded = end;
    }

    /** The publication's session. */
    public int sessionId()
    {
        return sessionId;
    }

    /**
     * All below is recorded, but for gaps that were told, as surely as the {@link SyncPolicy} says: it will be read by
     * whoever reads the recording.
     */
    public long recordedPosition()
    {
        return recorded;
    }

    /** Whether there is an image of it now. */
    public boolean isLive()
    {
        return live;
    }

    /** Whether there has been an image of it in this run. */
    boolean hasStarted()
    {
        return started;
    }

    void recorded(final long position)
    {
        recorded = position;
    }

    int number()
    {
        return number;
    }

    long end()
    {
        return end;
    }

    void end(final long position)
    {
        end = position;
    }

    boolean isEnded()
    {
        return ended;
    }

    void ended(final boolean complete)
    {
        ended = complete;
        live = false;
    }

    /** Whether an earlier run has recorded that its image broke off. */
    boolean isLost()
    {
        return lost;
    }

    /** An image of it is there. */
    void start()
    {
        live = true;
        started = true;
    }

    /** Whether what it lacks was published while no recorder ran. */
    boolean wasAway()
    {
        return old && !started;
    }
}
