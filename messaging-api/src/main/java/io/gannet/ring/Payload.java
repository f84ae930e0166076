package io.gannet.ring;

import java.lang.ref.Reference;
import org.agrona.DirectBuffer;

/** Moves an application's bytes into a ring. They are checked here, as the buffers' own checks can be switched off. */
final class Payload
{
    private Payload()
    {
    }

    /** Refuses a range that isn't within its buffer. */
    static void check(final DirectBuffer buffer, final int offset, final int length)
    {
        if ((offset | length) < 0 || offset > buffer.capacity() - length)
        {
            throw new IllegalArgumentException("offset " + offset + " and length " + length +
                " are not within the buffer of " + buffer.capacity() + " bytes");
        }
    }

    /** Refuses a message that doesn't fit. */
    static void checkLength(final long length, final int maxMessageLength)
    {
        if (length < 0 || length > maxMessageLength)
        {
            throw new IllegalArgumentException("message of " + length + " bytes: must be from 0 to " +
                maxMessageLength + " bytes for a ring of this size; use a larger ring or send it in parts");
        }
    }

    /** Sum of the pieces' lengths. */
    static long length(final BufferVector[] vectors)
    {
        long sum = 0;
        for (final BufferVector vector : vectors)
        {
            sum += vector.length();
        }
        return sum;
    }

    /** Copies a range that was checked. */
    static void copy(
        final RingMemory memory, final DirectBuffer source, final int offset, final long target, final int length)
    {
        final byte[] array = source.byteArray();
        if (array == null)
        {
            try
            {
                memory.copy(source.addressOffset() + offset, target, length);
            }
            finally
            {
                Reference.reachabilityFence(source);
            }
        }
        else
        {
            memory.copyFrom(array, source.addressOffset() + offset, target, length);
        }
    }

    /** Copies pieces one behind the other. */
    static void copy(final RingMemory memory, final BufferVector[] vectors, final long target)
    {
        long to = target;
        for (final BufferVector vector : vectors)
        {
            // Again, because an expandable buffer may have been replaced or shrunk since the piece was set.
            check(vector.buffer(), vector.offset(), vector.length());
            copy(memory, vector.buffer(), vector.offset(), to, vector.length());
            to += vector.length();
        }
    }
}
