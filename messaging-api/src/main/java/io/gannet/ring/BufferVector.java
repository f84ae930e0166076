package io.gannet.ring;

import java.util.Objects;
import org.agrona.DirectBuffer;

/** One piece of a message that is gathered from several. Reusable; not thread-safe. */
public class BufferVector
{
    private DirectBuffer buffer;
    private int offset;
    private int length;

    /** An empty piece, to be {@link #set}. */
    public BufferVector()
    {
    }

    /** As {@link #set(DirectBuffer, int, int)}. */
    public BufferVector(final DirectBuffer buffer, final int offset, final int length)
    {
        set(buffer, offset, length);
    }

    /**
     * Sets the piece.
     *
     * @throws IllegalArgumentException if it isn't within the buffer.
     */
    public final BufferVector set(final DirectBuffer newBuffer, final int newOffset, final int newLength)
    {
        Payload.check(newBuffer, newOffset, newLength);
        buffer = newBuffer;
        offset = newOffset;
        length = newLength;
        return this;
    }

    /** Where the bytes are. */
    public final DirectBuffer buffer()
    {
        return Objects.requireNonNull(buffer, "a buffer vector was not set");
    }

    /** First byte. */
    public final int offset()
    {
        return offset;
    }

    /** Bytes. */
    public final int length()
    {
        return length;
    }
}
