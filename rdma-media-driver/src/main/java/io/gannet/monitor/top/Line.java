package io.gannet.monitor.top;

import io.gannet.control.PrintableText;

/**
 * One line of the screen, which never gets longer than the screen is wide. Not thread-safe.
 */
final class Line
{
    /** First and last of each range of characters that take two columns. */
    private static final int[] WIDE = {0x1100, 0x115F, 0x2E80, 0xA4CF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30, 0xFE6F,
        0xFF00, 0xFF60, 0xFFE0, 0xFFE6, 0x1F300, 0x1FAFF, 0x20000, Character.MAX_CODE_POINT};

    private static final int LONGEST_ESCAPE = 6;

    private final StringBuilder text = new StringBuilder();
    private final int width;
    private final boolean colours;
    private int column;

    /**
     * @param width   columns of the screen.
     * @param colours whether styles are shown.
     */
    Line(final int width, final boolean colours)
    {
        this.width = width;
        this.colours = colours;
    }

    /** Adds text of any origin; what has no room is left out. */
    Line add(final Style style, final String more)
    {
        final String printable = PrintableText.of(more, 3 + LONGEST_ESCAPE * more.length());
        final StringBuilder part = new StringBuilder();
        for (int i = 0; i < printable.length();)
        {
            final int codePoint = printable.codePointAt(i);
            final int columns = columns(codePoint);
            if (column + columns > width)
            {
                break;
            }
            part.appendCodePoint(codePoint);
            column += columns;
            i += Character.charCount(codePoint);
        }
        text.append(colours ? style.on() : "").append(part).append(colours ? style.off() : "");
        return this;
    }

    Line add(final String more)
    {
        return add(Style.PLAIN, more);
    }

    /** Adds text that is cut or filled up to a number of columns, on its right. */
    Line left(final Style style, final String more, final int columns)
    {
        final int start = column;
        final Line cell = new Line(Math.max(0, Math.min(columns, width - start)), colours);
        cell.add(style, more);
        text.append(cell.text);
        column += cell.column;
        return to(start + columns);
    }

    /** Adds text at the right end of a number of columns. */
    Line right(final Style style, final String more, final int columns)
    {
        to(column + Math.max(0, columns - more.length()));
        return add(style, more);
    }

    /** Adds spaces up to a column. */
    Line to(final int target)
    {
        while (column < Math.min(target, width))
        {
            text.append(' ');
            column++;
        }
        return this;
    }

    /** Columns that are taken. */
    int columns()
    {
        return column;
    }

    /** Text with escape sequences; the whole line in one style if that is not plain. */
    String text(final Style whole)
    {
        if (whole == Style.PLAIN)
        {
            return text.toString();
        }
        to(width);
        // A style inside ends with one that ends all.
        return colours ? whole.on() + text.toString().replace("\u001b[0m", "\u001b[0m" + whole.on()) + whole.off() :
            text.toString();
    }

    /** Columns that a terminal shows a character in: 2 for East Asian ones and pictures, 0 for marks above others. */
    static int columns(final int codePoint)
    {
        final int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK)
        {
            return 0;
        }
        for (int i = 0; i < WIDE.length; i += 2)
        {
            if (codePoint >= WIDE[i] && codePoint <= WIDE[i + 1])
            {
                return 2;
            }
        }
        return 1;
    }
}
