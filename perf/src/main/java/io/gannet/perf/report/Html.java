package io.gannet.perf.report;

/**
 * Text for HTML and SVG.
 */
final class Html
{
    private Html()
    {
    }

    static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
