package io.gannet.recording;

import io.gannet.Header;
import io.gannet.Image;
import io.gannet.ring.FrameHeader;
import org.agrona.DirectBuffer;

/**
 * What is known about a message of a recording besides its payload. Valid only inside the handler that got it.
 */
public final class RecordedHeader implements Header
{
    private final int streamId;
    private DirectBuffer buffer;
    private int frame;
    private long position;
    private int session;
    private long time;

    RecordedHeader(final int streamId)
    {
        this.streamId = streamId;
    }

    void moveTo(final DirectBuffer inBuffer, final int atFrame, final long after, final int ofSession, final long at)
    {
        buffer = inBuffer;
        frame = atFrame;
        position = after;
        session = ofSession;
        time = at;
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public int sessionId()
    {
        return session;
    }

    @Override
    public int streamId()
    {
        return streamId;
    }

    @Override
    public long reservedValue()
    {
        return FrameHeader.reservedValue(buffer, frame);
    }

    @Override
    public int flags()
    {
        return FrameHeader.flags(buffer, frame);
    }

    /** {@return null: it comes from no image} */
    @Override
    public Image image()
    {
        return null;
    }

    /**
     * When the recorder took it, in ns since 1970, as that host's clock said; exact to a millisecond, and never below
     * that of a message before.
     */
    public long time()
    {
        return time;
    }
}
