package io.gannet.perf.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest
{
    @Test
    void medianAndQuartilesInterpolateBetweenRanks()
    {
        final Summary summary = Summary.of(List.of(4.0, 1.0, 3.0, 2.0));

        assertThat(summary.median()).isEqualTo(2.5);
        assertThat(summary.low()).isEqualTo(1.75);
        assertThat(summary.high()).isEqualTo(3.25);
    }

    @Test
    void fewerThanTenPhasesAreNotSeen()
    {
        assertThat(Summary.of(Collections.nCopies(9, 1.0)).seen()).isFalse();
        assertThat(Summary.of(Collections.nCopies(10, 1.0)).seen()).isTrue();
    }

    @Test
    void nothingHasNoMedian()
    {
        assertThat(Summary.of(List.of()).median()).isNaN();
    }
}
