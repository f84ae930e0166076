package io.gannet;

import static io.gannet.ring.FrameHeader.HEADER_LENGTH;

import io.gannet.ring.FrameHeader;
import org.agrona.DirectBuffer;

/** The header of the message in hand; one per image, moved from message to message. */
final class ImageHeader implements Header
{
    private final RingImage image;
    private DirectBuffer buffer;
    private int payloadOffset;
    private long position;

    ImageHeader(final RingImage image)
    {
        this.image = image;
    }

    void moveTo(final DirectBuffer newBuffer, final int newPayloadOffset, final long newPosition)
    {
        buffer = newBuffer;
        payloadOffset = newPayloadOffset;
        position = newPosition;
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public int sessionId()
    {
        return image.sessionId();
    }

    @Override
    public int streamId()
    {
        return image.streamId();
    }

    @Override
    public long reservedValue()
    {
        return FrameHeader.reservedValue(buffer, payloadOffset - HEADER_LENGTH);
    }

    @Override
    public int flags()
    {
        return FrameHeader.flags(buffer, payloadOffset - HEADER_LENGTH);
    }

    @Override
    public Image image()
    {
        return image;
    }
}
