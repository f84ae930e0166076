package io.gannet.perf.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Small runs: that every curve gets its points means that drivers, clients and rings carried all messages. How long it
 * took means nothing.
 */
class GrowthRunTest
{
    private static final int MILLIS = 20;

    @Test
    void everyCurveGetsItsPoints() throws Exception
    {
        final List<Point> points = run(new GrowthOptions(
            List.of(20, 1), List.of(1, 12), List.of(1, 64), List.of(1, 2), List.of(32, 1024), MILLIS));

        assertThat(points).extracting(Point::curve).contains(Curve.values());
        assertThat(xs(points, Curve.MESSAGE)).containsExactly(1L, 20L);
        assertThat(xs(points, Curve.REPLICATED_TEN)).containsExactly(1L, 12L);
        assertThat(xs(points, Curve.OFFER_SUBSCRIBERS)).containsExactly(1L, 64L);
        assertThat(xs(points, Curve.OFFER_BYTES)).containsExactly(32L, 1024L, (2L << 20) - 16);
        assertThat(points).allSatisfy(point ->
        {
            assertThat(point.median()).isNotNegative().isFinite();
            assertThat(point.low()).isLessThanOrEqualTo(point.median());
            assertThat(point.high()).isGreaterThanOrEqualTo(point.median());
        });
        assertThat(GrowthPlots.plots(points)).hasSize(Curve.Plot.values().length).allSatisfy((name, svg) ->
            assertThat(svg).contains("<polyline").doesNotContain("NaN", "Infinity"));
        assertThat(GrowthPlots.tables(points)).hasSize(Curve.Plot.values().length);
    }

    @Test
    void aPartThatIsLeftOutHasNoPlot() throws Exception
    {
        final List<Point> points =
            run(new GrowthOptions(List.of(), List.of(), List.of(2), List.of(), List.of(), MILLIS));

        assertThat(GrowthPlots.plots(points)).containsOnlyKeys("subscribers.svg");
        assertThat(GrowthPlots.tables(points)).containsOnlyKeys("subscribers");
    }

    @Test
    void tablesHaveARowForEachNumberAndAColumnForEachCurve()
    {
        assertThat(GrowthPlots.tables(List.of(
            new Point(Curve.OFFER_SUBSCRIBERS, 1, 5.25, 5, 6, 9), new Point(Curve.POLL_SUBSCRIBERS, 1, 3, 3, 3, 9),
            new Point(Curve.OFFER_SUBSCRIBERS, 64, 7, 6.5, 8, 9))).get("subscribers")).isEqualTo("""
            | subscribers of one ring | offer, ns | poll, each subscriber, ns |
            |---|---|---|
            | 1 | 5.25 (5 .. 6) | 3 (3 .. 3) |
            | 64 | 7 (6.5 .. 8) |  |
            """);
    }

    private static List<Long> xs(final List<Point> points, final Curve curve)
    {
        return points.stream().filter(point -> point.curve() == curve).map(Point::x).toList();
    }

    private static List<Point> run(final GrowthOptions options) throws Exception
    {
        return new GrowthRun(options, new PrintWriter(new StringWriter())).run();
    }
}
