package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gannet.driver.stream.simulation.Scenario;
import io.gannet.driver.stream.simulation.Simulations;

/**
 * As far as {@code docs/scale.md} says that fan-out and streams were simulated.
 */
class ScaleSimulationTest
{
    @ParameterizedTest
    @CsvSource({"10, 1, 20", "63, 1, 5", "1, 100, 3", "10, 20, 3"})
    void everybodyHasEverythingWhateverBreaks(final int subscribers, final int streams, final int seeds)
    {
        final long failed =
            Simulations.firstFailure(1, seeds, seed -> Scenario.wide(seed, subscribers, streams));
        assertThat(failed).as(() -> String.join("\n", Simulations.explain(Scenario.wide(failed, subscribers, streams))))
            .isEqualTo(Simulations.NONE);
    }
}
