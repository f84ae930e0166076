package io.gannet.control;

/**
 * Makes text that somebody else wrote fit to be printed on a terminal or into a log: one line, of bounded length,
 * without characters that do something other than to stand there.
 */
public final class PrintableText
{
    private static final String CUT = "...";

    private PrintableText()
    {
    }

    /**
     * Escapes what is not printable and cuts off what is too long.
     *
     * @param text      of any origin.
     * @param maxLength characters of the result, at least 3.
     * @return {@code text} itself if there is nothing to change. Control and format characters (such as those that turn
     *         the direction of writing), line separators and half surrogates are escaped as in Java source.
     */
    public static String of(final String text, final int maxLength)
    {
        if (text.length() <= maxLength && text.codePoints().allMatch(PrintableText::isPrintable))
        {
            return text;
        }
        final StringBuilder result = new StringBuilder();
        for (int i = 0; i < text.length();)
        {
            final int codePoint = text.codePointAt(i);
            final int end = i + Character.charCount(codePoint);
            final String shown = isPrintable(codePoint) ? text.substring(i, end) : escaped(codePoint);
            final int room = maxLength - (end == text.length() ? 0 : CUT.length());
            if (result.length() + shown.length() > room)
            {
                return result.append(CUT).toString();
            }
            result.append(shown);
            i = end;
        }
        return result.toString();
    }

    private static String escaped(final int codePoint)
    {
        final StringBuilder text = new StringBuilder();
        for (final char unit : Character.toChars(codePoint))
        {
            text.append(String.format("\\u%04X", (int) unit));
        }
        return text.toString();
    }

    private static boolean isPrintable(final int codePoint)
    {
        return switch (Character.getType(codePoint))
        {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
                Character.UNASSIGNED, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
