package io.gannet.samples.orderflow.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.samples.UtcClock;
import org.junit.jupiter.api.Test;

/** How old a stamp can be. */
final class BatchClockTest
{
    private long readings;
    private final BatchClock clock = new BatchClock(new UtcClock()
    {
        @Override
        public long nanos()
        {
            return ++readings;
        }
    });

    @Test
    void aMessageThatComesAloneHasAReadingOfItsOwn()
    {
        for (long expected = 1; expected <= 100; expected++)
        {
            clock.begin();
            assertThat(clock.nanos()).isEqualTo(expected);
        }
    }

    @Test
    void nothingIsReadWhereNothingComes()
    {
        for (int i = 0; i < 100; i++)
        {
            clock.begin();
        }
        assertThat(readings).isZero();
    }

    @Test
    void oneReadingServesNoMoreThanItsShare()
    {
        clock.begin();
        for (int message = 0; message < 10 * BatchClock.SHARE; message++)
        {
            assertThat(clock.nanos()).as("message %d", message).isEqualTo(1 + message / BatchClock.SHARE);
        }
    }
}
