package io.gannet;

import org.agrona.DirectBuffer;

/**
 * A range of a buffer, one of the parts of a message in {@link Publication#offer(DirectBufferVector[])}. Mutable, so
 * that it can be used again without garbage; not thread-safe.
 */
public final class DirectBufferVector
{
    private DirectBuffer buffer;
    private int offset;
    private int length;

    /** An empty vector, to be set before use. */
    public DirectBufferVector()
    {
    }

    /** See {@link #set}. */
    public DirectBufferVector(final DirectBuffer buffer, final int offset, final int length)
    {
        set(buffer, offset, length);
    }

    /**
     * Points this vector to a range.
     *
     * @return this.
     * @throws IllegalArgumentException if the range is not within the buffer.
     */
    public DirectBufferVector set(final DirectBuffer newBuffer, final int newOffset, final int newLength)
    {
        if (newOffset < 0 || newLength < 0 || newOffset > newBuffer.capacity() - newLength)
        {
            throw new IllegalArgumentException("offset " + newOffset + ", length " + newLength +
                " are not within the buffer's capacity of " + newBuffer.capacity());
        }
        buffer = newBuffer;
        offset = newOffset;
        length = newLength;
        return this;
    }

    /** The buffer, null if never set. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** First byte. */
    public int offset()
    {
        return offset;
    }

    /** Bytes. */
    public int length()
    {
        return length;
    }
}
