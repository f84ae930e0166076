package io.gannet.counters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which bucket a duty cycle is counted in. */
class CounterTypesTest
{
    @ParameterizedTest
    @CsvSource({"-1,0", "0,0", "1,0", "256,0", "257,1", "512,1", "513,2", "1000,2", "1073741824,22", "1073741825,23",
        "9223372036854775807,23", "-9223372036854775808,0"})
    void aCycleIsCountedInTheFirstBucketThatHasRoomForIt(final long nanos, final int bucket)
    {
        assertThat(CounterTypes.cycleBucket(nanos)).isEqualTo(bucket);
    }

    @Test
    void limitsAscendAndAreInTheirOwnBuckets()
    {
        long before = 0;
        for (int i = 0; i < CounterTypes.CYCLE_BUCKETS; i++)
        {
            final long limit = CounterTypes.cycleBucketLimit(i);
            assertThat(limit).isGreaterThan(before);
            assertThat(CounterTypes.cycleBucket(limit)).isEqualTo(i);
            assertThat(CounterTypes.cycleBucket(before + 1)).isEqualTo(i);
            before = limit;
        }
        assertThat(before).isEqualTo(Long.MAX_VALUE);
    }
}
