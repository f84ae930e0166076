package io.gannet.perf.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole runs with tiny phases. What they measure means nothing; that every message arrives and every process ends does.
 */
class IpcRunTest
{
    private final StringWriter progress = new StringWriter();

    @Test
    void bothLayoutsRunEveryLoadOfThePeersThatNeedNoDriver() throws Exception
    {
        final RunRecord run = new IpcRun(options(List.of("agrona", "disruptor"), List.of()),
            new PrintWriter(progress)).run();

        assertThat(run.results().samples()).extracting(sample -> sample.scenario().bench()).contains(
            "throughput-exclusive-1p1s-2proc", "throughput-concurrent-2p1s-2proc", "pingpong-exclusive-1p1s-2proc",
            "throughput-exclusive-1p1s-1proc", "pingpong-exclusive-1p1s-1proc");
        // A phase of 5 ms may pass before a thread gets a processor; not all of them can.
        assertThat(run.results().samples()).anySatisfy(sample ->
            assertThat(sample.metrics()).hasEntrySatisfying(Row.RATE, rate -> assertThat(rate).isPositive()));
        final int processors = Runtime.getRuntime().availableProcessors();
        assertThat(run.results().samples()).allSatisfy(sample ->
            assertThat(sample.placement() == Placement.ANY).isEqualTo(sample.scenario().isCrowded(processors)));
        assertThat(progress.toString()).contains("two processes, 96 B").contains("one process, 96 B");
    }

    @Test
    void nothingToRunIsSaid()
    {
        assertThatThrownBy(() -> new IpcRun(options(List.of("agrona"), List.of("nonesuch")),
            new PrintWriter(progress)).run()).isInstanceOf(RigException.class).hasMessageContaining("nonesuch");
    }

    private static IpcOptions options(final List<String> peers, final List<String> benches)
    {
        return new IpcOptions(false, peers, List.of(96), List.of(), List.of(), benches, 5, 1, 600, 1 << 20, 100_000,
            160, false, false, List.of("-XX:TieredStopAtLevel=1"));
    }
}
