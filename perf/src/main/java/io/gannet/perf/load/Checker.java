package io.gannet.perf.load;

import io.gannet.perf.peer.MessageHandler;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * Reads every word of each message and throws if one is lost, repeated, out of order or damaged.
 */
final class Checker extends CheckerState implements MessageHandler
{
    /** Unused words before and behind those of the producers, 128 bytes: the heap may put anything there. */
    private static final int PADDING = 16;

    private final int size;
    private final int producers;
    /** First word of each producer's next message, from index {@link #PADDING}. */
    private final long[] expected;
    private final long constantWords;
    private final boolean timed;
    private final Histogram latency;

    /**
     * @param latency where the time since the intended time of sending is recorded, or null.
     */
    Checker(final int size, final int producers, final boolean timed, final Histogram latency)
    {
        this.size = size;
        this.producers = producers;
        this.timed = timed;
        this.latency = latency;
        expected = new long[PADDING + producers + PADDING];
        for (int i = 0; i < producers; i++)
        {
            expected[PADDING + i] = (long) i << Outbound.PRODUCER_SHIFT;
        }
        constantWords = (size / Long.BYTES - 2L - (timed ? 1 : 0)) * Outbound.FILL;
    }

    /** Messages since the start. */
    long received()
    {
        return received;
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        final long word = buffer.getLong(offset);
        final int producer = (int) (word >>> Outbound.PRODUCER_SHIFT);
        if (length != size || producer >= producers || expected[PADDING + producer] != word)
        {
            throw unexpected(word, length);
        }
        expected[PADDING + producer] = word + 1;
        long sum = 0;
        for (int i = Long.BYTES; i < length; i += Long.BYTES)
        {
            sum += buffer.getLong(offset + i);
        }
        if (timed)
        {
            final long intended = buffer.getLong(offset + Outbound.INTENDED);
            sum -= intended;
            if (latency != null)
            {
                final long nanos = System.nanoTime() - intended;
                latency.recordValue(Math.min(Math.max(nanos, 0), Load.LONGEST_NANOS));
            }
        }
        if (sum != constantWords + word + Outbound.FILL)
        {
            throw new IllegalStateException("message " + word + ": payload sum " + sum + " is wrong");
        }
        received++;
    }

    private IllegalStateException unexpected(final long word, final int length)
    {
        return new IllegalStateException("message of " + length + " bytes that starts with " +
            Long.toHexString(word) + "; expected " + size + " bytes that start with one of " +
            Arrays.toString(Arrays.copyOfRange(expected, PADDING, PADDING + producers)));
    }
}
