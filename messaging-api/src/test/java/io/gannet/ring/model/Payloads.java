package io.gannet.ring.model;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages that say who sent them, as which of his, and whose every byte and length follow from that: a reader checks
 * one without knowing what was sent. Lengths are mostly small, sometimes the longest; in one of four
 * runs all are long.
 */
final class Payloads
{
    static final int MIN_LENGTH = 8;

    private final long seed;
    private final int maxLength;
    private final UnsafeBuffer expected;

    Payloads(final long seed, final int maxLength, final UnsafeBuffer scratch)
    {
        this.seed = seed;
        this.maxLength = maxLength;
        this.expected = scratch;
    }

    static int id(final int producer, final int sequence)
    {
        return (producer + 1) << 20 | sequence;
    }

    static int producer(final int id)
    {
        return (id >>> 20) - 1;
    }

    static int sequence(final int id)
    {
        return id & 0xF_FFFF;
    }

    int length(final int id)
    {
        final long dice = mix(seed + id);
        if ((seed & 3) == 0)
        {
            return maxLength - (int) ((dice & 0x7FFF_FFFF) % (maxLength / 4));
        }
        return switch ((int) (dice & 15))
        {
            case 0 -> maxLength;
            case 1, 2, 3 -> MIN_LENGTH + (int) ((dice >>> 8 & 0x7FFF_FFFF) % (maxLength - MIN_LENGTH));
            case 4, 5, 6, 7, 8 -> MIN_LENGTH + (int) ((dice >>> 8 & 0x7FFF_FFFF) % (maxLength / 4));
            default -> MIN_LENGTH + (int) ((dice >>> 8 & 0x7FFF_FFFF) % 100);
        };
    }

    /** Writes a message to {@code target} from 0 on; returns its length. */
    int write(final int id, final UnsafeBuffer target)
    {
        final int length = length(id);
        target.putInt(0, id);
        for (int i = 4; i < length; i++)
        {
            if ((i & 3) == 0 && i + 4 <= length)
            {
                target.putInt(i, (int) mix(id * 31L + i));
                i += 3;
            }
            else
            {
                target.putByte(i, (byte) mix(id * 31L + i));
            }
        }
        return length;
    }

    /** Null if {@code buffer} holds exactly the message that it says it is, else what is wrong. */
    String check(final UnsafeBuffer buffer, final int length)
    {
        if (length < MIN_LENGTH || length > maxLength)
        {
            return "length " + length;
        }
        final int id = buffer.getInt(0);
        if (id < 1 << 20 || length != length(id))
        {
            return "id " + Integer.toHexString(id) + " with length " + length;
        }
        write(id, expected);
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(i) != expected.getByte(i))
            {
                return "byte " + i + " of " + length + " of message " + Integer.toHexString(id);
            }
        }
        return null;
    }

    private static long mix(final long value)
    {
        long z = value * 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ z >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return z ^ z >>> 32;
    }
}
