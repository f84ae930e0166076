package io.gannet;

import io.gannet.ring.BufferVector;
import org.agrona.DirectBuffer;

/**
 * A range of a buffer, one of the parts of a message in {@link Publication#offer(DirectBufferVector[])}. Mutable, so
 * that it can be used again without garbage; not thread-safe.
 */
public final class DirectBufferVector extends BufferVector
{
    /** An empty part, to be set before use. */
    public DirectBufferVector()
    {
    }

    /**
     * A part.
     *
     * @throws IllegalArgumentException if the range is not within the buffer.
     */
    public DirectBufferVector(final DirectBuffer buffer, final int offset, final int length)
    {
        super(buffer, offset, length);
    }
}
