package io.gannet.perf.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelDocumentTest
{
    @Test
    void theCommittedPageIsWhatTheCommandMakes() throws Exception
    {
        for (final Map.Entry<Path, String> file : ModelDocument.files(Path.of("..", "docs", "model.md")).entrySet())
        {
            assertThat(Files.readString(file.getKey()))
                .as("%s: run ./gannet model --document docs/model.md", file.getKey()).isEqualTo(file.getValue());
        }
    }

    @Test
    void everyParameterHasARangeAroundItsValueAndASource()
    {
        for (final Parameter parameter : Parameter.values())
        {
            assertThat(parameter.low()).as(parameter.label()).isLessThanOrEqualTo(parameter.value());
            assertThat(parameter.high()).as(parameter.label()).isGreaterThanOrEqualTo(parameter.value());
            assertThat(parameter.source()).as(parameter.label()).isNotBlank();
        }
    }

    @Test
    void whatTheTextSaysOfPublishedFiguresIsComputed()
    {
        assertThat(Comparison.all()).filteredOn(figure -> figure.verdict() == Comparison.Verdict.IMPOSSIBLE)
            .extracting(Comparison.Figure::what).containsExactlyInAnyOrder("64 to 512 B, each further byte",
                "two DMA reads, PCIe 3", "1 M completions/s", "one queue pair");
        assertThat(Comparison.all()).filteredOn(figure -> figure.verdict() == Comparison.Verdict.AGREES)
            .extracting(Comparison.Figure::what).contains("64 B, payload read by the NIC", "64 B, inline",
                "128 B, inline");
    }

    @Test
    void whatTheTextSaysOfCompletionsIsComputed()
    {
        final ClosedForm form = new ClosedForm(Hardware.defaults());

        // "9 % where each message is posted alone, a quarter in chains"
        assertThat(1 - form.senderNanos(128, true, 1, 32) / form.senderNanos(128, true, 1, 1))
            .isCloseTo(0.09, within(0.005));
        assertThat(1 - form.senderNanos(128, true, 16, 32) / form.senderNanos(128, true, 16, 1))
            .isCloseTo(0.25, within(0.03));
        // "every 32nd of 64 slots loses a fifth", "SignalPolicy is at no depth more than a tenth behind the best"
        assertThat(1 - rate(64, 32) / rate(64, 16)).isCloseTo(0.2, within(0.03));
        for (final int depth : new int[] {16, 32, 64, 128, 256, 1024})
        {
            final double best = Math.max(Math.max(rate(depth, 1), rate(depth, 8)),
                Math.max(rate(depth, 16), rate(depth, 32)));
            assertThat(rate(depth, Workload.ADAPTIVE)).as("%d slots", depth).isGreaterThan(best * 0.9);
        }
    }

    @Test
    void whatTheTextSaysOfInlineAndMergingIsComputed()
    {
        final ClosedForm form = new ClosedForm(Hardware.defaults());

        // "a threshold of 512 B saves another 0.3 us at 288 and 544 B"
        assertThat(form.oneWayNanos(288, false) - form.oneWayNanos(288, true)).isCloseTo(300, within(40.0));
        assertThat(form.oneWayNanos(544, false) - form.oneWayNanos(544, true)).isCloseTo(300, within(40.0));
        // "between 4 and 12 M/s merging is up to 0.25 us slower at the median than a chain"
        for (final double rate : new double[] {4e6, 6e6, 8e6, 12e6})
        {
            final Workload chained = Workload.saturated(128, 8_000).posting(16, 0).at(rate);
            assertThat(WriteSimulation.run(Hardware.defaults(), chained.posting(16, 65_536)).latency(0.5) -
                WriteSimulation.run(Hardware.defaults(), chained).latency(0.5)).isLessThan(250);
        }
    }

    private static double rate(final int depth, final int interval)
    {
        return WriteSimulation.run(Hardware.defaults(),
            Workload.saturated(128, 2_000).posting(16, 0).queue(depth, interval)).perSecond();
    }
}
