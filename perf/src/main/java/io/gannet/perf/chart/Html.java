package io.gannet.perf.chart;

/**
 * Text for HTML and SVG.
 */
public final class Html
{
    private Html()
    {
    }

    public static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
