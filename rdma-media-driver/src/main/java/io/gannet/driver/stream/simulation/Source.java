package io.gannet.driver.stream.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.ring.FrameHeader;

/**
 * The messages of one producer, in the order in which it makes them: how long each is, where it was published, and
 * bytes that only it has. Its first word tells the producer and its number.
 */
final class Source
{
    /** Bytes of the shortest message. */
    static final int LEAST_LENGTH = Long.BYTES;

    private static final int NUMBER_BITS = 32;
    private static final long SEAL = 0x5EA1_C0DE_0F6A_44E7L;

    private final Messages messages;
    private final int id;
    private final SplittableRandom random;
    private final int maxLength;
    private final UnsafeBuffer buffer;
    private long[] starts = new long[256];
    private int[] lengths = new int[256];
    private int count;
    private boolean offered;

    Source(final Messages messages, final int id, final SplittableRandom random, final int maxLength)
    {
        this.messages = messages;
        this.id = id;
        this.random = random;
        this.maxLength = maxLength;
        buffer = new UnsafeBuffer(new byte[maxLength + Long.BYTES]);
    }

    /** {@return which source a message says that it is of, of so many; -1 if it says nonsense} */
    static int of(final DirectBuffer received, final int offset, final int sources)
    {
        final long source = (received.getLong(offset) ^ SEAL) >>> NUMBER_BITS;
        return source < sources ? (int) source : -1;
    }

    /**
     * Makes the next message, to be offered at once: from now on it may be received. It counts only once it is
     * {@link #published}.
     */
    DirectBuffer next()
    {
        if (count == lengths.length)
        {
            lengths = Arrays.copyOf(lengths, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
        }
        if (lengths[count] == 0)
        {
            lengths[count] = LEAST_LENGTH + random.nextInt(Math.max(1, maxLength - LEAST_LENGTH));
            for (int i = 0; i < lengths[count]; i += Long.BYTES)
            {
                buffer.putLong(i, word(count, i));
            }
        }
        offered = true;
        return buffer;
    }

    int nextLength()
    {
        return lengths[count];
    }

    /** The offer was refused, or its range given back. */
    void refused()
    {
        offered = false;
    }

    /** The message was published, up to the position. */
    void published(final long position)
    {
        starts[count] = position - FrameHeader.step(lengths[count]);
        if (count > 0 && starts[count] < starts[count - 1] + FrameHeader.step(lengths[count - 1]))
        {
            throw new SimulationFailure("message " + count + " of producer " + id + " was published at " +
                starts[count] + ", the one before at " + starts[count - 1]);
        }
        offered = false;
        count++;
        messages.onPublished(position);
    }

    /** {@return whether a message is being offered, and so may be received, or never be} */
    boolean isOffered()
    {
        return offered;
    }

    /** {@return where the first published message from a position on starts; {@link Long#MAX_VALUE} for none} */
    long firstFrom(final long position)
    {
        final int found = Arrays.binarySearch(starts, 0, count, position);
        final int index = found < 0 ? ~found : found;
        return index < count ? starts[index] : Long.MAX_VALUE;
    }

    /** Checks a received message that says that it is this source's. */
    void check(final DirectBuffer received, final int offset, final int length, final long start)
    {
        final int number = (int) (received.getLong(offset) ^ SEAL);
        if (number < 0 || (offered ? number > count : number >= count))
        {
            throw new SimulationFailure("message " + number + " of producer " + id + ", received at " + start +
                ", was never published");
        }
        if (length != lengths[number] || (number < count && start != starts[number]))
        {
            throw new SimulationFailure("message " + number + " of producer " + id + " was published at " +
                starts[number] + " with " + lengths[number] + " bytes, received at " + start + " with " + length);
        }
        for (int i = 0; i + Long.BYTES <= length; i += Long.BYTES)
        {
            if (received.getLong(offset + i) != word(number, i))
            {
                throw differs(number, length, start, i);
            }
        }
        final int rest = length & -Long.BYTES;
        for (int i = rest; i < length; i++)
        {
            if (received.getByte(offset + i) != (byte) (word(number, rest) >>> (Byte.SIZE * (i - rest))))
            {
                throw differs(number, length, start, i);
            }
        }
    }

    private SimulationFailure differs(final int number, final int length, final long start, final int index)
    {
        return new SimulationFailure("message " + number + " of producer " + id + " at " + start + ", length " +
            length + ": byte " + index + " differs");
    }

    private long word(final int number, final int offset)
    {
        final long first = ((long) id << NUMBER_BITS | number) ^ SEAL;
        return offset == 0 ? first : first * 0x9E37_79B9_7F4A_7C15L + offset * 0xC2B2_AE3D_27D4_EB4FL;
    }
}
