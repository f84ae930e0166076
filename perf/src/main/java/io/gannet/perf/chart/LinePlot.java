package io.gannet.perf.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Curves over a common axis as one SVG file that needs nothing else and follows the reader's light or dark setting.
 */
public final class LinePlot
{
    private static final int LEGEND_LINE = 16;
    private static final String STYLE = "<style>svg{--ink:#1c2226;--dim:#6b757c;--line:#e3e5e4;--bg:#fff;" +
        "--c0:#0b7a75;--c1:#d9622b;--c2:#7a4fb5;--c3:#2f6fb3;--c4:#a8871d;--c5:#b03a5b;background:var(--bg)}" +
        "@media (prefers-color-scheme:dark){svg{--ink:#e4e8ea;--dim:#97a2a9;--line:#2c3439;--bg:#14181b;" +
        "--c0:#3fc1b6;--c1:#f08a55;--c2:#b493ec;--c3:#7fb2ea;--c4:#d8b64a;--c5:#ee7f9d}}" +
        "text{font:11px system-ui,sans-serif;fill:var(--dim)}.title{font-size:13px;fill:var(--ink)}" +
        ".grid{stroke:var(--line)}.end{text-anchor:end}.middle{text-anchor:middle}" +
        ".curve{fill:none;stroke-width:2;stroke-linejoin:round}.key{stroke-width:3}" +
        ".s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}" +
        ".s5{stroke:var(--c5)}.dot.s0{fill:var(--c0)}.dot.s1{fill:var(--c1)}.dot.s2{fill:var(--c2)}" +
        ".dot.s3{fill:var(--c3)}.dot.s4{fill:var(--c4)}.dot.s5{fill:var(--c5)}.dashed{stroke-dasharray:5 4}</style>";

    private final String title;
    private final String axis;
    private final boolean logarithmicX;
    private final boolean logarithmicY;
    private final DoubleFunction<String> labelX;
    private final DoubleFunction<String> labelY;
    private final List<Series> series = new ArrayList<>();

    private static final class Series
    {
        private final String name;
        private final double[] x;
        private final double[] y;
        private final boolean dotsOnly;

        Series(final String name, final double[] x, final double[] y, final boolean dotsOnly)
        {
            this.name = name;
            this.x = x.clone();
            this.y = y.clone();
            this.dotsOnly = dotsOnly;
        }
    }

    /**
     * @param title  above the plot; names the vertical axis.
     * @param axis   below it.
     * @param labelX text of a tick, as {@link Axis#trim}.
     */
    public LinePlot(
        final String title,
        final String axis,
        final boolean logarithmicX,
        final boolean logarithmicY,
        final DoubleFunction<String> labelX,
        final DoubleFunction<String> labelY)
    {
        this.title = title;
        this.axis = axis;
        this.logarithmicX = logarithmicX;
        this.logarithmicY = logarithmicY;
        this.labelX = labelX;
        this.labelY = labelY;
    }

    /** Adds a curve with a dot at each point. */
    public LinePlot curve(final String name, final double[] x, final double[] y)
    {
        series.add(new Series(name, x, y, false));
        return this;
    }

    /** Adds points that no line joins, such as figures of others. */
    public LinePlot points(final String name, final double[] x, final double[] y)
    {
        series.add(new Series(name, x, y, true));
        return this;
    }

    /** The file's text. Points that are not finite are left out. */
    public String svg()
    {
        final int legend = series.size() * LEGEND_LINE + 8;
        final int height = Chart.HEIGHT + legend + 22;
        final double top = Chart.TOP + 22;
        final double bottom = Chart.BOTTOM + 22;
        final double[] xs = range(true);
        final double[] ys = range(false);
        final Axis x = new Axis(xs[0], xs[1], Chart.LEFT, Chart.RIGHT, logarithmicX);
        final Axis y = logarithmicY ? new Axis(ys[0] / 1.15, ys[1] * 1.15, bottom, top, true) :
            new Axis(Math.min(0, ys[0]), ys[1] * 1.05, bottom, top, false);
        final StringBuilder svg = new StringBuilder(8192);
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ").append(Chart.WIDTH).append(' ')
            .append(height).append("\" width=\"").append(Chart.WIDTH * 5 / 4).append("\" role=\"img\" aria-label=\"")
            .append(Html.escape(title)).append("\">").append(STYLE).append('\n');
        text(svg, "title", Chart.LEFT, 18, title);
        for (final double tick : ticks(y, ys, logarithmicY))
        {
            line(svg, "grid", Chart.LEFT, y.pixel(tick), Chart.RIGHT, y.pixel(tick));
            text(svg, "end", Chart.LEFT - 6, y.pixel(tick) + 4, labelY.apply(tick));
        }
        for (final double tick : ticks(x, xs, logarithmicX))
        {
            line(svg, "grid", x.pixel(tick), top, x.pixel(tick), bottom);
            text(svg, "middle", x.pixel(tick), bottom + 16, labelX.apply(tick));
        }
        text(svg, "middle", (Chart.LEFT + Chart.RIGHT) / 2.0, bottom + 32, axis);
        for (int i = 0; i < series.size(); i++)
        {
            draw(svg, series.get(i), x, y, i % 6);
            final double at = bottom + 48 + i * LEGEND_LINE;
            line(svg, "key s" + i % 6, Chart.LEFT, at - 4, Chart.LEFT + 18, at - 4);
            text(svg, "name", Chart.LEFT + 26, at, series.get(i).name);
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(final StringBuilder svg, final Series one, final Axis x, final Axis y, final int colour)
    {
        final StringBuilder points = new StringBuilder();
        final StringBuilder dots = new StringBuilder();
        for (int i = 0; i < one.x.length; i++)
        {
            if (Double.isFinite(one.y[i]))
            {
                points.append(Chart.point(x.pixel(one.x[i]), y.pixel(one.y[i])));
                dots.append(String.format(Locale.ROOT,
                    "<circle class=\"dot s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>%s, %s: %s</title></circle>\n",
                    colour, x.pixel(one.x[i]), y.pixel(one.y[i]), one.dotsOnly ? "4.5" : "2.5",
                    Html.escape(one.name), Html.escape(labelX.apply(one.x[i])),
                    Html.escape(labelY.apply(one.y[i]))));
            }
        }
        if (!one.dotsOnly)
        {
            svg.append("<polyline class=\"curve s").append(colour).append("\" points=\"").append(points)
                .append("\"/>\n");
        }
        svg.append(dots);
    }

    private double[] range(final boolean horizontal)
    {
        double low = Double.MAX_VALUE;
        double high = -Double.MAX_VALUE;
        for (final Series one : series)
        {
            for (final double value : horizontal ? one.x : one.y)
            {
                if (Double.isFinite(value))
                {
                    low = Math.min(low, value);
                    high = Math.max(high, value);
                }
            }
        }
        return new double[] {low, high};
    }

    /** Powers of ten, or of two where the values are powers of two or span little. */
    private static List<Double> ticks(final Axis axis, final double[] range, final boolean logarithmic)
    {
        if (!logarithmic || range[1] / range[0] > 2000)
        {
            return axis.ticks();
        }
        final List<Double> ticks = new ArrayList<>();
        for (double tick = Math.pow(2, Math.ceil(Math.log(range[0]) / Math.log(2) - 1e-9)); tick <= range[1] * 1.0001;
            tick *= 2)
        {
            ticks.add(tick);
        }
        return ticks;
    }

    private static void line(
        final StringBuilder svg, final String style, final double x1, final double y1, final double x2, final double y2)
    {
        svg.append(String.format(Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style, x1, y1, x2, y2));
    }

    private static void text(final StringBuilder svg, final String style, final double x, final double y,
        final String text)
    {
        svg.append(String.format(Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", style, x, y))
            .append(Html.escape(text)).append("</text>\n");
    }
}
