package io.gannet.perf.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.perf.peer.Sender;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class CheckerTest
{
    private static final int SIZE = 96;

    private final UnsafeBuffer wire = new UnsafeBuffer(new byte[SIZE]);
    private final Outbound first = new Outbound(new Wire(), 0, SIZE);
    private final Outbound second = new Outbound(new Wire(), 1, SIZE);
    private final Checker checker = new Checker(SIZE, 2, false, null);

    @Test
    void messagesOfSeveralProducersPass()
    {
        for (int i = 0; i < 5; i++)
        {
            first.offer();
            checker.onMessage(wire, 0, SIZE);
            second.offer();
            checker.onMessage(wire, 0, SIZE);
        }

        assertThat(checker.received()).isEqualTo(10);
    }

    @Test
    void aLostMessageIsFound()
    {
        first.offer();
        first.offer();

        assertThatThrownBy(() -> checker.onMessage(wire, 0, SIZE)).hasMessageContaining("starts with 1");
    }

    @Test
    void aRepeatedMessageIsFound()
    {
        first.offer();
        checker.onMessage(wire, 0, SIZE);

        assertThatThrownBy(() -> checker.onMessage(wire, 0, SIZE)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFlippedBitInAnyWordIsFound()
    {
        for (int i = 0; i < SIZE; i += Long.BYTES)
        {
            final Checker fresh = new Checker(SIZE, 1, false, null);
            new Outbound(new Wire(), 0, SIZE).offer();
            wire.putLong(i, wire.getLong(i) ^ 1L << 40);

            assertThatThrownBy(() -> fresh.onMessage(wire, 0, SIZE)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aWrongLengthIsFound()
    {
        first.offer();

        assertThatThrownBy(() -> checker.onMessage(wire, 0, SIZE - 8)).hasMessageContaining("of 88 bytes");
    }

    @Test
    void latencyCountsFromTheIntendedTime()
    {
        final Histogram latency = new Histogram(Load.LONGEST_NANOS, 3);
        final Checker timed = new Checker(SIZE, 1, true, latency);
        final long late = 3_000_000_000L;

        first.offer(System.nanoTime() - late);
        timed.onMessage(wire, 0, SIZE);

        assertThat(latency.getTotalCount()).isEqualTo(1);
        assertThat(latency.getMaxValue()).isGreaterThanOrEqualTo(late);
    }

    private final class Wire extends Sender
    {
        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            wire.putBytes(0, buffer, offset, length);
            return true;
        }

        @Override
        public boolean connected()
        {
            return true;
        }
    }
}
