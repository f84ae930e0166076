package io.gannet.perf.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WriteSimulationTest
{
    private static List<Arguments> aloneCases()
    {
        final List<Arguments> cases = new ArrayList<>();
        for (final PcieGeneration generation : PcieGeneration.values())
        {
            for (final int bytes : new int[] {0, 32, 64, 92, 93, 128, 220, 221, 256, 512, 4096, 4097, 65_536, 262_144})
            {
                for (final int granted : new int[] {0, 220, 1000})
                {
                    cases.add(Arguments.of(generation, bytes, granted));
                }
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("aloneCases")
    void oneWriteAloneTakesTheSumOfItsStages(final PcieGeneration generation, final int bytes, final int granted)
    {
        final Hardware hardware = generation.applyTo(Hardware.defaults());
        final Workload workload = Workload.saturated(bytes, 1).inline(granted, granted);

        final Outcome outcome = WriteSimulation.run(hardware, workload);

        assertThat(outcome.latency(0.5)).isCloseTo(
            new ClosedForm(hardware).oneWayNanos(bytes, ClosedForm.inlines(workload)), within(1e-6));
    }

    @Test
    void receivesThatAreNotFetchedAheadCostOneRead()
    {
        final Hardware ahead = Hardware.defaults();
        final Hardware late = ahead.with(Parameter.RECEIVES_AHEAD, 0);
        final Workload workload = Workload.saturated(128, 1);

        assertThat(WriteSimulation.run(late, workload).latency(0.5)).isCloseTo(
            new ClosedForm(late).oneWayNanos(128, true), within(1e-6));
        assertThat(new ClosedForm(late).oneWayNanos(128, true)).isGreaterThan(
            new ClosedForm(ahead).oneWayNanos(128, true) + ahead.get(Parameter.DMA_READ));
    }

    private static List<Arguments> saturatedCases()
    {
        final List<Arguments> cases = new ArrayList<>();
        for (final int bytes : new int[] {64, 128, 512, 4096, 16_384})
        {
            for (final int chain : new int[] {1, 4, 16})
            {
                for (final int interval : new int[] {1, 8, 32})
                {
                    cases.add(Arguments.of(bytes, chain, interval));
                }
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("saturatedCases")
    void theRateIsThatOfTheSlowestPart(final int bytes, final int chain, final int interval)
    {
        final Hardware hardware = Hardware.defaults();
        final Workload workload = Workload.saturated(bytes, 2_000).posting(chain, 0).queue(4096, interval);

        final Outcome outcome = WriteSimulation.run(hardware, workload);

        final double bound =
            new ClosedForm(hardware).mostPerSecond(bytes, ClosedForm.inlines(workload), chain, interval);
        assertThat(outcome.perSecond()).isBetween(bound * 0.93, bound * 1.01);
    }

    @ParameterizedTest
    @MethodSource("saturatedCases")
    void theSendersTimeIsTheSumOfItsSteps(final int bytes, final int chain, final int interval)
    {
        final Hardware hardware = Hardware.defaults();
        final Workload workload = Workload.saturated(bytes, 2_000).posting(chain, 0).queue(1 << 15, interval);

        final Outcome outcome = WriteSimulation.run(hardware, workload);

        // The last completions are not taken before the end.
        final double sum =
            new ClosedForm(hardware).senderNanos(bytes, ClosedForm.inlines(workload), chain, interval);
        assertThat(outcome.senderNanos()).isBetween(sum * 0.6, sum * 1.01);
        if (interval == 32)
        {
            assertThat(outcome.senderNanos()).isCloseTo(sum, within(sum * 0.02));
        }
    }

    @Test
    void theEnginesPolicyDecidesWhatIsSignaled()
    {
        final Outcome outcome = WriteSimulation.run(Hardware.defaults(), Workload.saturated(128, 10_000));

        // A queue of 256 that never fills far: every 32nd.
        assertThat((double) outcome.requests() / outcome.signaled()).isBetween(31.0, 33.0);
    }

    @Test
    void theEnginesPolicySignalsMoreOftenWhenTheQueueFills()
    {
        final Hardware slowWire = Hardware.defaults().with(Parameter.WIRE_BYTES, 1);

        final Outcome outcome = WriteSimulation.run(slowWire, Workload.saturated(1024, 10_000));

        assertThat((double) outcome.requests() / outcome.signaled()).isBetween(7.5, 9.0);
    }

    @Test
    void anIntervalBeyondTheQueueWaitsForTheTailRule()
    {
        final Workload workload = Workload.saturated(128, 600).queue(64, 100);

        final Outcome outcome = WriteSimulation.run(Hardware.defaults(), workload);

        // Without the tail rule it would never end: 63 requests, then nothing.
        assertThat(outcome.messages()).isEqualTo(600);
        assertThat(outcome.fullNanos()).isGreaterThan(8 * Ledger.TAIL_DELAY);
    }

    @Test
    void messagesThatWaitGoTogether()
    {
        final Workload workload = Workload.saturated(128, 10_000).posting(16, 64 * 1024);

        final Outcome outcome = WriteSimulation.run(Hardware.defaults(), workload);

        assertThat(outcome.requests()).isLessThan(30);
        assertThat(outcome.messages()).isEqualTo(10_000);
    }

    @Test
    void theSameSeedGivesTheSameRun()
    {
        final Workload workload = Workload.saturated(128, 5_000).at(3e6);

        assertThat(WriteSimulation.run(Hardware.defaults(), workload)).isEqualTo(
            WriteSimulation.run(Hardware.defaults(), workload));
    }

    @Test
    void loadMakesMessagesWait()
    {
        final Outcome light = WriteSimulation.run(Hardware.defaults(), Workload.saturated(128, 20_000).at(1e5));
        final Outcome heavy = WriteSimulation.run(Hardware.defaults(), Workload.saturated(128, 20_000).at(3.5e6));

        assertThat(light.latency(0.5)).isCloseTo(
            new ClosedForm(Hardware.defaults()).oneWayNanos(128, true), within(1e-6));
        assertThat(heavy.latency(0.99)).isGreaterThan(2 * light.latency(0.5));
    }
}
