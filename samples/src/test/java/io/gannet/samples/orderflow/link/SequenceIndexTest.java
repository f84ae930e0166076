package io.gannet.samples.orderflow.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where messages are by their numbers, also where those of 31 or 32 bits end. */
final class SequenceIndexTest
{
    private static final int DEPTH = 16;

    @ParameterizedTest
    @ValueSource(longs = {1, 0x7FFF_FFE0L, 0xFFFF_FFE0L, 0x7FFF_FFFF_FFFF_FF00L})
    void theLatestOfASessionAreFoundAndNoOthers(final long first)
    {
        final MessageLog log = MessageLog.allocate(1 << 12);
        final SequenceIndex index = new SequenceIndex(DEPTH);
        for (long number = first; number < first + 100; number++)
        {
            log.buffer().putLong(log.claim(8), number);
            index.put(number, log.commit() - log.lastLength());
            for (long asked = Math.max(1, number - 2 * DEPTH); asked <= number + 2; asked++)
            {
                final long position = index.position(asked, log);
                if (asked < first || asked <= number - DEPTH || asked > number)
                {
                    assertThat(position).as("%d of %d", asked, number).isEqualTo(SequenceIndex.UNKNOWN);
                }
                else
                {
                    assertThat(log.buffer().getLong(log.offset(position))).isEqualTo(asked);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 0x7FFF_FFE0L, 0xFFFF_FFE0L})
    void aReportIsFoundByItsNumberOrItsPosition(final long first)
    {
        final ReportIndex index = new ReportIndex(1 << 12);
        index.begin(first);
        for (long number = first; number < first + 500; number++)
        {
            index.put(number, (number - first) * 64);
            final long oldest = Math.max(first, number - 50);
            for (long asked = oldest; asked <= number; asked++)
            {
                assertThat(index.position(asked)).isEqualTo((asked - first) * 64);
                assertThat(index.firstFrom((asked - first) * 64 - 1, number + 1)).isEqualTo(asked);
            }
            assertThat(index.firstFrom((number + 1 - first) * 64, number + 1)).isEqualTo(number + 1);
        }
    }
}
