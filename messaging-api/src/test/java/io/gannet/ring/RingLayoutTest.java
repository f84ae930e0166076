package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingLayoutTest
{
    @Test
    void hasRoomForAllOfItsParts()
    {
        assertThat(RingLayout.END_OF_STREAM_OFFSET + RingLayout.LINE).isLessThanOrEqualTo(RingLayout.ENTRIES_OFFSET);
        assertThat(RingLayout.entryOffset(RingLayout.MAX_ENTRIES)).isLessThanOrEqualTo(RingLayout.slotOffset(0));
        assertThat(RingLayout.slotOffset(RingLayout.MAX_SLOTS)).isLessThanOrEqualTo(RingLayout.HEADER_LENGTH);
        assertThat(RingLayout.ENTRY_DROP + Long.BYTES).isLessThanOrEqualTo(RingLayout.ENTRY_LENGTH);
        assertThat(2L * RingLayout.MAX_CAPACITY).isLessThan(Integer.MAX_VALUE);
    }

    @Test
    void leavesAProducerOfAnyRingMoreThanTwoOfItsLargestFrames()
    {
        for (final RingKind kind : EnumSet.complementOf(EnumSet.of(RingKind.NONE)))
        {
            for (long capacity = RingLayout.MIN_CAPACITY; capacity <= RingLayout.MAX_CAPACITY; capacity *= 2)
            {
                RingLayout.checkCapacity(capacity);
                assertThat(RingLayout.window(kind, (int) capacity))
                    .isGreaterThan(2 * RingLayout.maxFrameLength(kind, (int) capacity));
                assertThat(RingLayout.slack(kind, (int) capacity)).isGreaterThanOrEqualTo(
                    RingLayout.maxFrameLength(kind, (int) capacity) + RingLayout.COARSE_INTERVAL + 64);
            }
        }
    }

    /** The numbers in the Javadoc of Publication. */
    @ParameterizedTest
    @CsvSource({"65536, 40896, 12224", "1048576, 901056, 442304", "16777216, 14663616, 7323584"})
    void theWindowIsSevenEighthsOrSevenSixteenthsOfTheRingLessTheSlack(
        final int capacity, final int exclusive, final int shared)
    {
        assertThat(RingLayout.window(RingKind.EXCLUSIVE, capacity)).isEqualTo(exclusive)
            .isEqualTo(capacity / 8 * 7 - 16_448);
        assertThat(RingLayout.window(RingKind.CONCURRENT, capacity)).isEqualTo(shared)
            .isEqualTo(capacity / 16 * 7 - 16_448);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 65535, 65537, 32768, 3 << 20, 1L << 30, 1L << 40, Long.MIN_VALUE})
    void refusesACapacityThatIsNoPowerOfTwoInRange(final long capacity)
    {
        assertThatThrownBy(() -> RingLayout.checkCapacity(capacity))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(Long.toString(capacity)).hasMessageContaining("64 KiB to 512 MiB");
    }

    @Test
    void startsEveryFrameAtAMultipleOfThirtyTwo()
    {
        assertThat(FrameHeader.step(0)).isEqualTo(32);
        assertThat(FrameHeader.step(16)).isEqualTo(32);
        assertThat(FrameHeader.step(17)).isEqualTo(64);
        assertThat(FrameHeader.align(32)).isEqualTo(32);
    }
}
