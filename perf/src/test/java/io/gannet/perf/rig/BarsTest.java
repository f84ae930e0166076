package io.gannet.perf.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gannet.perf.rig.Bars.Bar;
import io.gannet.perf.rig.Bars.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class BarsTest
{
    @Test
    void aRateMustReachItsBar()
    {
        assertThat(verdict(row("throughput-exclusive-1p1s-2proc", 96, "near", Row.RATE, 2.0))).isEqualTo(Verdict.PASS);
        assertThat(verdict(row("throughput-exclusive-1p1s-2proc", 96, "near", Row.RATE, 1.99))).isEqualTo(Verdict.FAIL);
        assertThat(verdict(row("throughput-exclusive-1p1s-2proc", 96, "far", Row.RATE, 1.5))).isEqualTo(Verdict.PASS);
        assertThat(verdict(row("throughput-exclusive-1p1s-2proc", 1024, "near", Row.RATE, 1.29)))
            .isEqualTo(Verdict.FAIL);
        assertThat(verdict(row("throughput-exclusive-1p4s-2proc", 32, "far", Row.RATE, 1.0))).isEqualTo(Verdict.PASS);
        assertThat(verdict(row("throughput-concurrent-2p1s-2proc", 32, "far", Row.RATE, 1.29))).isEqualTo(Verdict.FAIL);
        assertThat(verdict(row("throughput-concurrent-4p1s-2proc", 32, "far", Row.RATE, 1.0))).isEqualTo(Verdict.PASS);
    }

    @Test
    void aCellOfMoreThreadsThanProcessorsHasOneBar()
    {
        for (final String shape : List.of("exclusive-1p2s", "exclusive-1p4s", "concurrent-4p1s", "concurrent-2p1s"))
        {
            final double limit = shape.equals("concurrent-2p1s") ? 1.3 : 1;
            final String bench = "throughput-" + shape + "-2proc";
            assertThat(Bars.of(List.of(row(bench, 96, "any", Row.RATE, limit), row(bench, 256, "any", Row.RATE,
                limit - 0.01), row(bench, 1024, "any", Row.RATE, null)))).satisfiesExactly(
                    bar -> assertThat(bar).returns(Verdict.PASS, Bar::verdict).returns(limit, Bar::limit),
                    bar -> assertThat(bar).returns(Verdict.FAIL, Bar::verdict),
                    bar -> assertThat(bar).returns(Verdict.NOT_SEEN, Bar::verdict))
                .extracting(Bar::placement).containsOnly("any");
        }
    }

    @Test
    void withProcessorsForAllThreadsTheSameLimitHoldsNearAndFar()
    {
        for (final String shape : List.of("exclusive-1p2s", "exclusive-1p4s", "concurrent-4p1s", "concurrent-2p1s"))
        {
            assertThat(Bars.of(List.of(row("throughput-" + shape + "-2proc", 96, "near", Row.RATE, 2.0))))
                .extracting(Bar::placement, Bar::limit).containsExactly(
                    tuple("near", shape.equals("concurrent-2p1s") ? 1.3 : 1.0),
                    tuple("far", shape.equals("concurrent-2p1s") ? 1.3 : 1.0));
        }
    }

    @Test
    void oneProcessorHasNoBarOfTwo()
    {
        assertThat(Bars.of(List.of(row("throughput-exclusive-1p1s-2proc", 96, "any", Row.RATE, 0.1)))).isEmpty();
    }

    @Test
    void aLatencyMustNotExceedItsBar()
    {
        assertThat(verdict(row("pingpong-exclusive-1p1s-2proc", 96, "near", "p50Nanos", 1.1))).isEqualTo(Verdict.PASS);
        assertThat(verdict(row("paced-1M-exclusive-1p1s-2proc", 96, "near", "p90Nanos", 1.11)))
            .isEqualTo(Verdict.FAIL);
    }

    @Test
    void thereIsNoBarForOtherPeersLayoutsAndTails()
    {
        assertThat(Bars.of(List.of(row("pingpong-exclusive-1p1s-2proc", 96, "near", "p99Nanos", 9.0),
            row("throughput-exclusive-1p1s-1proc", 96, "near", Row.RATE, 0.1),
            row("throughput-exclusive-1p1s-2proc", 4096, "near", Row.RATE, 0.1),
            row("throughput-concurrent-1p1s-2proc", 96, "near", Row.RATE, 0.1)))).isEmpty();
    }

    @Test
    void aPlacementThatDidNotComeUpIsNotSeen()
    {
        final List<Bar> bars = Bars.of(List.of(row("throughput-exclusive-1p1s-2proc", 96, "near", Row.RATE, 3.0)));

        assertThat(bars).extracting(Bar::placement).containsExactly("near", "far");
        assertThat(bars).extracting(Bar::verdict).containsExactly(Verdict.PASS, Verdict.NOT_SEEN);
    }

    @Test
    void bothPlacementsHaveOneBarEach()
    {
        assertThat(Bars.of(List.of(row("throughput-exclusive-1p1s-2proc", 96, "near", Row.RATE, 3.0),
            row("throughput-exclusive-1p1s-2proc", 96, "far", Row.RATE, 1.0)))).extracting(Bar::verdict)
            .containsExactly(Verdict.PASS, Verdict.FAIL);
    }

    @Test
    void tooFewPhasesAreNotSeen()
    {
        assertThat(verdict(row("throughput-exclusive-1p1s-2proc", 96, "near", Row.RATE, null)))
            .isEqualTo(Verdict.NOT_SEEN);
    }

    private static Verdict verdict(final Row row)
    {
        return Bars.of(List.of(row)).stream().filter(bar -> bar.placement().equals(row.placement()))
            .findFirst().orElseThrow().verdict();
    }

    private static Row row(
        final String bench, final int size, final String placement, final String metric, final Double ratio)
    {
        return new Row(bench, bench.contains("exclusive") ? "aeron-exclusive" : "aeron-concurrent", size, placement,
            "even", metric, 12, ratio, 1.0, ratio, ratio, ratio, 1.0, 1.0);
    }
}
