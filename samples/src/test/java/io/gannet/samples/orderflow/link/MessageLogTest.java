package io.gannet.samples.orderflow.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MessageLogTest
{
    private static final int CAPACITY = 1024;

    static LongStream seeds()
    {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theLogHoldsTheLatestMessagesInOrderAlsoWhenReopened(final long seed)
    {
        final Random random = new Random(seed);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[MessageLog.HEADER_LENGTH + CAPACITY]);
        MessageLog log = MessageLog.over(memory);
        final List<Integer> written = new ArrayList<>();
        for (int i = 0; i < 2_000; i++)
        {
            final int length = 4 + random.nextInt(CAPACITY / 4 - 3);
            if (random.nextInt(10) == 0)
            {
                // Claimed, and then the process died, or something else was claimed.
                memory.setMemory(log.claim(length), length, (byte) -1);
            }
            else
            {
                final int at = log.claim(length);
                memory.putInt(at, i);
                memory.setMemory(at + 4, length - 4, (byte) i);
                log.commit();
                written.add(i);
            }
            if (random.nextInt(20) == 0)
            {
                log = MessageLog.over(memory);
            }
            final List<Integer> kept = read(log, memory);
            assertThat(written.subList(written.size() - kept.size(), written.size()))
                .as("seed %d, message %d", seed, i).isEqualTo(kept);
            final long bytes = log.end() - log.first();
            assertThat(bytes).as("seed %d", seed).isLessThanOrEqualTo(CAPACITY);
            assertThat(written.size() < 50 || bytes > CAPACITY / 4).as("seed %d: keeps what it can", seed).isTrue();
        }
    }

    private static List<Integer> read(final MessageLog log, final UnsafeBuffer memory)
    {
        final List<Integer> kept = new ArrayList<>();
        for (long at = log.first(); at < log.end();)
        {
            at = log.messageAt(at);
            if (at < log.end())
            {
                final int number = memory.getInt(log.offset(at));
                for (int k = 4; k < log.length(at); k++)
                {
                    assertThat(memory.getByte(log.offset(at) + k)).isEqualTo((byte) number);
                }
                kept.add(number);
                at = log.next(at);
            }
        }
        return kept;
    }

    @Test
    void aMessageLongerThanAQuarterOfTheLogIsRefusedWithBothNumbers()
    {
        assertThatThrownBy(() -> MessageLog.allocate(CAPACITY).claim(CAPACITY / 4 + 1))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("257").hasMessageContaining("1024");
    }

    @Test
    void aDamagedLogIsNotTakenForALog()
    {
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[MessageLog.HEADER_LENGTH + CAPACITY]);
        final MessageLog log = MessageLog.over(memory);
        log.claim(100);
        log.commit();
        memory.putInt(MessageLog.HEADER_LENGTH, 13);
        assertThatThrownBy(() -> MessageLog.over(memory)).hasMessageContaining("damaged at position 0 of 112");
    }
}
