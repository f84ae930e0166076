package io.gannet.perf.chart;

import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * An SVG with two axes. Colours come from the page's classes, so that it follows light and dark.
 */
public final class Chart
{
    public static final int WIDTH = 560;
    public static final int HEIGHT = 300;
    public static final int LEFT = 64;
    public static final int RIGHT = WIDTH - 22;
    public static final int TOP = 12;
    public static final int BOTTOM = HEIGHT - 40;

    private final StringBuilder svg = new StringBuilder(4096);

    public Chart(final String label)
    {
        svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT).append("\" role=\"img\" ")
            .append("aria-label=\"").append(Html.escape(label)).append("\">");
    }

    public void horizontalGrid(final Axis y, final DoubleFunction<String> label)
    {
        for (final double tick : y.ticks())
        {
            final double at = y.pixel(tick);
            line("grid", LEFT, at, RIGHT, at);
            text("tick end", LEFT - 6, at + 4, label.apply(tick));
        }
    }

    public void verticalTick(final double at, final String label)
    {
        line("grid", at, TOP, at, BOTTOM);
        text("tick middle", at, BOTTOM + 16, label);
    }

    public void axisTitle(final String title)
    {
        text("tick middle", (LEFT + RIGHT) / 2.0, HEIGHT - 6, title);
    }

    public void line(final String style, final double x1, final double y1, final double x2, final double y2)
    {
        svg.append(String.format(Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", style, x1, y1, x2, y2));
    }

    public void rectangle(final String style, final double x, final double y, final double width, final double height)
    {
        svg.append(String.format(Locale.ROOT,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", style, x, y, width, height));
    }

    public void dot(final String style, final double x, final double y, final String title)
    {
        svg.append(String.format(Locale.ROOT, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>", style, x,
            y)).append(Html.escape(title)).append("</title></circle>");
    }

    /** A path through points "x,y x,y ...". */
    public void polyline(final String style, final CharSequence points)
    {
        svg.append("<polyline class=\"").append(style).append("\" points=\"").append(points).append("\"/>");
    }

    public void text(final String style, final double x, final double y, final String text)
    {
        svg.append(String.format(Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", style, x, y))
            .append(Html.escape(text)).append("</text>");
    }

    public String end()
    {
        return svg.append("</svg>").toString();
    }

    public static String point(final double x, final double y)
    {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
    }
}
