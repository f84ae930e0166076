package io.gannet.driver.stream.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.ring.FrameHeader;

/**
 * What a publication has published: where each message starts, how long it is, and bytes that only it has.
 */
final class Messages
{
    private final SplittableRandom random;
    private final int maxLength;
    private final UnsafeBuffer buffer;
    private long[] starts = new long[256];
    private int[] lengths = new int[256];
    private int count;
    private long end;
    private boolean offered;

    Messages(final SplittableRandom random, final int maxLength)
    {
        this.random = random;
        this.maxLength = maxLength;
        buffer = new UnsafeBuffer(new byte[maxLength + 8]);
    }

    /**
     * Makes the next message, to be offered at once: from now on it may be received. It counts only once it is
     * {@link #published(long)}.
     */
    DirectBuffer next()
    {
        final int length = 8 + random.nextInt(Math.max(1, maxLength - 8));
        if (count == lengths.length)
        {
            lengths = Arrays.copyOf(lengths, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
        }
        if (lengths[count] == 0)
        {
            lengths[count] = length;
            fill(count, length);
        }
        starts[count] = end;
        offered = true;
        return buffer;
    }

    int nextLength()
    {
        return lengths[count];
    }

    /** The offer was refused. */
    void refused()
    {
        offered = false;
    }

    void published(final long position)
    {
        if (position != end + FrameHeader.step(lengths[count]))
        {
            throw new SimulationFailure("message " + count + " was published at " + position + ", behind " + end);
        }
        offered = false;
        end = position;
        count++;
    }

    int count()
    {
        return count;
    }

    long end()
    {
        return end;
    }

    /** {@return index of the message that starts there, or of the next one to be published} */
    int at(final long position)
    {
        if (position == end)
        {
            return count;
        }
        if (offered && position == end + FrameHeader.step(lengths[count]))
        {
            return count + 1;
        }
        final int found = Arrays.binarySearch(starts, 0, count, position);
        if (found < 0)
        {
            throw new SimulationFailure("no message starts at position " + position);
        }
        return found;
    }

    /** Checks a received message. */
    void check(final int index, final DirectBuffer received, final int offset, final int length, final long position)
    {
        if (offered ? index > count : index >= count)
        {
            throw new SimulationFailure("message " + index + " received at " + position + " was never published");
        }
        if (position != starts[index] + FrameHeader.step(lengths[index]) || length != lengths[index])
        {
            throw new SimulationFailure("message " + index + " should end at " +
                (starts[index] + FrameHeader.step(lengths[index])) + " with " + lengths[index] +
                " bytes, ends at " + position + " with " + length);
        }
        for (int i = 0; i + 8 <= length; i += 8)
        {
            if (received.getLong(offset + i) != word(index, i))
            {
                throw new SimulationFailure("message " + index + " at " + starts[index] + ", length " + length +
                    ": byte " + i + " differs");
            }
        }
        for (int i = length & -8; i < length; i++)
        {
            if (received.getByte(offset + i) != (byte) (word(index, length & -8) >>> (8 * (i & 7))))
            {
                throw new SimulationFailure("message " + index + " at " + starts[index] + ", length " + length +
                    ": byte " + i + " differs");
            }
        }
    }

    private void fill(final int index, final int length)
    {
        for (int i = 0; i < length; i += 8)
        {
            buffer.putLong(i, word(index, i));
        }
    }

    private static long word(final int index, final int offset)
    {
        return (index + 1) * 0x9E37_79B9_7F4A_7C15L + offset * 0xC2B2_AE3D_27D4_EB4FL;
    }
}
