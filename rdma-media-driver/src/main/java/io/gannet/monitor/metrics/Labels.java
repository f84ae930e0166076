package io.gannet.monitor.metrics;

/**
 * Labels of a sample, in order.
 *
 * @param text without braces.
 */
record Labels(String text)
{
    static final Labels NONE = new Labels("");

    static Labels of(final String name, final String value)
    {
        return NONE.and(name, value);
    }

    Labels and(final String name, final String value)
    {
        return new Labels(text + (text.isEmpty() ? "" : ",") + name + "=\"" + Exposition.escape(value) + '"');
    }

    Labels and(final String name, final long value)
    {
        return and(name, Long.toString(value));
    }

    @Override
    public String toString()
    {
        return text.isEmpty() ? "" : '{' + text + '}';
    }
}
