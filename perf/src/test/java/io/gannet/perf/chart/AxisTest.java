package io.gannet.perf.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisTest
{
    @Test
    void linearTicksAreRound()
    {
        assertThat(new Axis(0, 97, 0, 1, false).ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0);
    }

    @Test
    void logarithmicTicksArePowersOfTen()
    {
        assertThat(new Axis(100, 20_000, 0, 1, true).ticks()).containsExactly(100.0, 1_000.0, 10_000.0);
    }

    @Test
    void pixelsFollowTheLogarithm()
    {
        assertThat(new Axis(1, 10_000, 0, 100, true).pixel(100)).isEqualTo(50);
    }

    @Test
    void timesHaveTheirUnit()
    {
        assertThat(Axis.time(151)).isEqualTo("151 ns");
        assertThat(Axis.time(1_500)).isEqualTo("1.5 us");
        assertThat(Axis.time(23_000_000)).isEqualTo("23 ms");
        assertThat(Axis.time(2e9)).isEqualTo("2 s");
    }
}
