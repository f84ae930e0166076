package io.gannet.samples.orderflow.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** When a thread gives its processor away for a moment, and when for longer. */
final class AdaptiveIdleStrategyTest
{
    private final StringBuilder done = new StringBuilder();
    private final AdaptiveIdleStrategy idle = new AdaptiveIdleStrategy()
    {
        @Override
        void sleep()
        {
            done.append('s');
        }

        @Override
        void yieldProcessor()
        {
            done.append('y');
        }
    };

    private String after(final int... works)
    {
        done.setLength(0);
        for (final int work : works)
        {
            idle.idle(work);
        }
        return done.toString();
    }

    @Test
    void aThreadWithWorkNeverPauses()
    {
        assertThat(after(1, 1_000, Integer.MAX_VALUE / 2, 1)).isEmpty();
    }

    @Test
    void itYieldsWhileLittleComes()
    {
        assertThat(after(0, 0, 1, 0, AdaptiveIdleStrategy.MUCH - 1, 0, 0)).isEqualTo("yyyyy");
    }

    @Test
    void itSleepsOnceAfterMuchInOneOrManyTurns()
    {
        assertThat(after(AdaptiveIdleStrategy.MUCH, 0, 0, 0)).isEqualTo("syy");
        final int[] single = new int[AdaptiveIdleStrategy.MUCH + 2];
        Arrays.fill(single, 0, AdaptiveIdleStrategy.MUCH, 1);
        assertThat(after(single)).isEqualTo("sy");
    }

    @Test
    void aPauseBetweenForgetsWhatWasTaken()
    {
        assertThat(after(AdaptiveIdleStrategy.MUCH / 2, 0, AdaptiveIdleStrategy.MUCH / 2, 0)).isEqualTo("yy");
    }
}
