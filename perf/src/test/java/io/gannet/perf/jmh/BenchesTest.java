package io.gannet.perf.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Every benchmark runs, for a moment and in this process: what it measures means nothing here.
 */
class BenchesTest
{
    @Test
    void everyBenchmarkRuns() throws Exception
    {
        final Collection<RunResult> results = new Runner(new OptionsBuilder().include(".*").forks(0)
            .warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(1))
            .param("size", "96").param("subscribers", "64").shouldFailOnError(true).verbosity(VerboseMode.SILENT)
            .build()).run();

        assertThat(results.stream().map(result -> result.getParams().getBenchmark()
            .replaceFirst("io[.]gannet[.]perf[.]jmh[.]([^.]+)[.].*", "$1")).collect(Collectors.toSet()))
            .containsExactlyInAnyOrder("CallBench", "ClientBench", "CodecBench", "DutyCycleBench", "GatingBench",
                "MemoryBench", "RingBench", "SystemCallBench");
        assertThat(results).allSatisfy(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
        assertThat(JmhTable.of(results)).contains("`RingBench.offerExclusive`, size 96 |", "`CallBench.byName` |");
    }
}
