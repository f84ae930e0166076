package io.gannet.text;

/**
 * Writes one JSON value, in order, without reading back. Not thread-safe.
 */
public final class Json
{
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder closers = new StringBuilder();
    private boolean first = true;
    private boolean named;

    public Json object()
    {
        return open('{', '}');
    }

    public Json array()
    {
        return open('[', ']');
    }

    public Json end()
    {
        text.append(closers.charAt(closers.length() - 1));
        closers.setLength(closers.length() - 1);
        first = false;
        return this;
    }

    public Json name(final String name)
    {
        separate();
        quote(name);
        text.append(':');
        named = true;
        return this;
    }

    public Json value(final long value)
    {
        separate();
        text.append(value);
        return this;
    }

    public Json value(final String value)
    {
        separate();
        quote(value);
        return this;
    }

    public Json value(final boolean value)
    {
        separate();
        text.append(value);
        return this;
    }

    /** The value null. */
    public Json nothing()
    {
        separate();
        text.append("null");
        return this;
    }

    public StringBuilder text()
    {
        return text;
    }

    private Json open(final char opener, final char closer)
    {
        separate();
        text.append(opener);
        closers.append(closer);
        first = true;
        return this;
    }

    private void separate()
    {
        if (!named && !first)
        {
            text.append(',');
        }
        named = false;
        first = false;
    }

    private void quote(final String value)
    {
        text.append('"');
        for (int i = 0; i < value.length(); i++)
        {
            final char c = value.charAt(i);
            if (c == '"' || c == '\\')
            {
                text.append('\\').append(c);
            }
            else if (c < ' ')
            {
                text.append(String.format("\\u%04x", (int) c));
            }
            else
            {
                text.append(c);
            }
        }
        text.append('"');
    }
}
