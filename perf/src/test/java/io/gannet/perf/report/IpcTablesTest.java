package io.gannet.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.RunFile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IpcTablesTest
{
    private static Row row(final String bench, final String peer, final String metric, final Double ours,
        final Double theirs)
    {
        return row(bench, peer, "far", metric, ours, theirs);
    }

    private static Row row(final String bench, final String peer, final String placement, final String metric,
        final Double ours, final Double theirs)
    {
        final Double ratio = ours == null || theirs == null ? null : ours / theirs;
        return new Row(bench, peer, 96, placement, "even", metric, ratio == null ? 3 : 12, ours, theirs, ratio,
            ours, ours, theirs, theirs);
    }

    @Test
    void aRowBesideAeronHasItsBarAndOthersAreLeftOut()
    {
        final Map<String, String> tables = IpcTables.of(new RunFile(Map.of("date", "a day"), Map.of(), List.of(
            row("throughput-exclusive-1p1s-2proc", "aeron-exclusive", Row.RATE, 30e6, 15e6),
            row("throughput-exclusive-1p1s-2proc", "agrona-one-to-one", Row.RATE, 30e6, 45e6),
            row("throughput-concurrent-4p1s-2proc", "aeron-concurrent", "any", Row.RATE, 9e6, 10e6),
            row("throughput-exclusive-1p1s-1proc", "aeron-exclusive", Row.RATE, 30e6, 15e6),
            row("pingpong-exclusive-1p1s-2proc", "aeron-exclusive", "p50Nanos", 1_500.0, 1_000.0),
            row("pingpong-exclusive-1p1s-2proc", "aeron-exclusive", "p99Nanos", null, 5_000.0)), List.of()));

        assertThat(tables.keySet()).containsExactlyElementsOf(IpcTables.NAMES);
        assertThat(tables.get("ipc-run")).contains("| date | a day |");
        assertThat(tables.get("ipc-cells").lines().skip(2)).containsExactly(
            "| throughput-exclusive-1p1s | 96 | far | even | M/s | 30.00 (30.00 .. 30.00) | 15.00 (15.00 .. 15.00) " +
                "| 2.00 | 12 | >= 1.50 pass |",
            "| throughput-concurrent-4p1s | 96 | any | even | M/s | 9.00 (9.00 .. 9.00) | 10.00 (10.00 .. 10.00) " +
                "| 0.90 | 12 | >= 1.00 FAIL |",
            "| pingpong-exclusive-1p1s | 96 | far | even | p50 ns | 1,500 (1,500 .. 1,500) | 1,000 (1,000 .. 1,000) " +
                "| 1.50 | 12 | <= 1.10 FAIL |",
            "| pingpong-exclusive-1p1s | 96 | far | even | p99 ns | not seen | 5,000 (5,000 .. 5,000) |  | 3 |  |");
    }
}
