package io.gannet.perf.rig;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest
{
    @ParameterizedTest
    @CsvSource({
        "70, 75, NEAR", "300, 310, FAR", "70, 300, MOVED", "300, 70, MOVED", "-1, 70, UNKNOWN", "70, -1, UNKNOWN",
        "0, 70, UNKNOWN", "159, 159, NEAR", "160, 160, FAR"})
    void bothProbesDecide(final long before, final long after, final Placement expected)
    {
        assertThat(Placement.of(before, after, 160)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"NEAR, true", "FAR, true", "ANY, true", "MOVED, false", "UNKNOWN, false"})
    void whatIsComparableCounts(final Placement placement, final boolean counts)
    {
        assertThat(placement.counts()).isEqualTo(counts);
    }

    @Test
    void aRunHasThePlacementsThatItsScenariosCanHave()
    {
        assertThat(Placement.ofResults(new Results())).containsExactly(Placement.NEAR, Placement.FAR);
        assertThat(Placement.ofResults(Fixtures.run().results())).containsExactly(Placement.NEAR, Placement.FAR);
        assertThat(Placement.ofResults(Fixtures.crowdedRun().results())).containsExactly(Placement.ANY);
        assertThat(Placement.ofResults(Fixtures.mixedRun().results()))
            .containsExactly(Placement.NEAR, Placement.FAR, Placement.ANY);
    }
}
