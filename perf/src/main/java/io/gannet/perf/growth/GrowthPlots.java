package io.gannet.perf.growth;

import io.gannet.perf.chart.Axis;
import io.gannet.perf.chart.LinePlot;
import io.gannet.perf.chart.MarkdownTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * The points as plots and as tables.
 */
public final class GrowthPlots
{
    /** Logarithmic axes have no zero: what is smaller is drawn there. */
    private static final double SMALLEST = 1e-2;

    private GrowthPlots()
    {
    }

    /** SVG by file name, of what there are points for. */
    public static Map<String, String> plots(final List<Point> points)
    {
        final Map<String, String> plots = new LinkedHashMap<>();
        for (final Curve.Plot plot : Curve.Plot.values())
        {
            final LinePlot drawn =
                new LinePlot(plot.title(), plot.axis(), true, true, GrowthPlots::count, Axis::trim);
            boolean any = false;
            for (final Curve curve : curves(plot, points))
            {
                final List<Point> own = points.stream().filter(point -> point.curve() == curve).toList();
                drawn.curve(curve.label(), own.stream().mapToDouble(Point::x).toArray(),
                    own.stream().mapToDouble(point -> Math.max(point.median(), SMALLEST)).toArray());
                any = true;
            }
            if (any)
            {
                plots.put(plot.file() + ".svg", drawn.svg());
            }
        }
        return plots;
    }

    /** Markdown by table name: a row for each x, a column for each curve. */
    public static Map<String, String> tables(final List<Point> points)
    {
        final Map<String, String> tables = new LinkedHashMap<>();
        for (final Curve.Plot plot : Curve.Plot.values())
        {
            final List<Curve> curves = curves(plot, points);
            final List<String[]> rows = new ArrayList<>();
            final TreeSet<Long> all = new TreeSet<>();
            points.stream().filter(point -> point.curve().plot() == plot).forEach(point -> all.add(point.x()));
            for (final long x : all)
            {
                final List<String> row = new ArrayList<>(List.of(count((double) x)));
                curves.forEach(curve -> row.add(points.stream()
                    .filter(point -> point.curve() == curve && point.x() == x).findAny()
                    .map(GrowthPlots::cell).orElse("")));
                rows.add(row.toArray(String[]::new));
            }
            if (!rows.isEmpty())
            {
                tables.put(plot.file(), MarkdownTables.table(plot.axis(), curves.stream()
                    .map(curve -> curve.label() + ", " + plot.unit()).toArray(String[]::new), rows));
            }
        }
        return tables;
    }

    private static List<Curve> curves(final Curve.Plot plot, final List<Point> points)
    {
        return Arrays.stream(Curve.values()).filter(curve -> curve.plot() == plot)
            .filter(curve -> points.stream().anyMatch(point -> point.curve() == curve)).toList();
    }

    private static String cell(final Point point)
    {
        return Axis.trim(point.median()) +
            (point.n() > 1 ? " (" + Axis.trim(point.low()) + " .. " + Axis.trim(point.high()) + ")" : "");
    }

    private static String count(final double value)
    {
        return value >= 1 << 20 && value % (1 << 20) == 0 ? (long) value / (1 << 20) + " Mi" :
            value >= 1024 && value % 1024 == 0 ? (long) value / 1024 + " Ki" :
            String.format(Locale.ROOT, "%,d", (long) value);
    }
}
