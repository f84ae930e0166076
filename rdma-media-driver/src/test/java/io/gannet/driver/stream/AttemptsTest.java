package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How long attempts to connect wait.
 */
class AttemptsTest
{
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    /** The clock may run over its end. */
    private static final long START = Long.MAX_VALUE - 3_000 * MILLISECOND;

    @ParameterizedTest
    @CsvSource({"5000, 1000, 2000, 5000", "1500, 1000, 1500, 1500", "300, 300, 300, 300", "60000, 1000, 2000, 60000"})
    void theFirstAreShortAndTheRestAsLongAsTheChannelSays(
        final long limit, final int first, final int second, final int rest)
    {
        final Attempts attempts = new Attempts(limit * MILLISECOND);
        long now = START;
        for (final int expected : new int[]{first, second, rest, rest, rest})
        {
            attempts.begin(now);
            assertThat(attempts.timeoutMillis()).isEqualTo(expected);
            now += expected * MILLISECOND;
            assertThat(attempts.isLate(now - 1)).isFalse();
            assertThat(attempts.isLate(now)).isTrue();
            attempts.unanswered();
        }
        attempts.begin(now);
        attempts.answered(now + 1_000 * MILLISECOND);
        assertThat(attempts.timeoutMillis()).as("a slow host").isEqualTo(rest);
        attempts.answered(now + 999 * MILLISECOND);
        assertThat(attempts.timeoutMillis()).isEqualTo(first);
    }

    @Test
    void silenceIsToldAfterTwoSecondsOverAllAttempts()
    {
        final Attempts attempts = new Attempts(5_000 * MILLISECOND);
        attempts.begin(START);
        assertThat(attempts.isTroubling(START + 1_000 * MILLISECOND)).isFalse();
        attempts.unanswered();
        attempts.begin(START + 1_200 * MILLISECOND);
        assertThat(attempts.isTroubling(START + 2_000 * MILLISECOND)).isFalse();
        assertThat(attempts.isTroubling(START + 2_001 * MILLISECOND)).isTrue();
        attempts.answered(START + 1_300 * MILLISECOND);
        attempts.begin(START + 3_000 * MILLISECOND);
        assertThat(attempts.isTroubling(START + 4_500 * MILLISECOND)).isFalse();
    }
}
