package io.gannet.monitor.top;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a terminal shows of the bytes that it gets: the few sequences of ECMA-48 and xterm that {@code gannet top} uses.
 * Another one is a mistake, as is a line that is longer than the screen, or one too many. Thread-safe.
 */
final class TerminalScreen
{
    private static final int ESCAPE = 0x1B;

    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT);
    private final List<String> mistakes = new ArrayList<>();
    private final StringBuilder sequence = new StringBuilder();
    private byte[] rest = new byte[0];
    private int[][] cells;
    private boolean[][] inverse;
    private int columns;
    private int rows;
    private int row;
    private int column;
    private boolean inSequence;
    private boolean isInverse;
    private boolean otherScreen;
    private boolean cursorHidden;
    private boolean wraps = true;
    private int frames;

    TerminalScreen(final int columns, final int rows)
    {
        resize(columns, rows);
    }

    synchronized void resize(final int newColumns, final int newRows)
    {
        columns = newColumns;
        rows = newRows;
        clear();
    }

    private void clear()
    {
        cells = new int[rows][columns];
        inverse = new boolean[rows][columns];
        for (final int[] line : cells)
        {
            Arrays.fill(line, ' ');
        }
        row = 0;
        column = 0;
    }

    synchronized void feed(final byte[] bytes)
    {
        final byte[] all = Arrays.copyOf(rest, rest.length + bytes.length);
        System.arraycopy(bytes, 0, all, rest.length, bytes.length);
        final ByteBuffer in = ByteBuffer.wrap(all);
        final CharBuffer out = CharBuffer.allocate(all.length);
        if (utf8.reset().decode(in, out, false).isError())
        {
            mistakes.add("not UTF-8");
        }
        rest = Arrays.copyOfRange(all, in.position(), all.length);
        out.flip().toString().codePoints().forEach(this::take);
    }

    private void take(final int codePoint)
    {
        if (inSequence)
        {
            sequence.appendCodePoint(codePoint);
            if (sequence.length() > 1 && codePoint >= '@' && codePoint <= '~')
            {
                inSequence = false;
                control(sequence.toString());
            }
        }
        else if (codePoint == ESCAPE)
        {
            inSequence = true;
            sequence.setLength(0);
        }
        else if (codePoint == '\r')
        {
            column = 0;
        }
        else if (codePoint == '\n')
        {
            if (row == rows - 1 && otherScreen)
            {
                mistakes.add("a line below the last");
            }
            row = Math.min(row + 1, rows - 1);
        }
        else if (codePoint < ' ' || codePoint == 0x7F)
        {
            mistakes.add("control character " + codePoint);
        }
        else
        {
            show(codePoint);
        }
    }

    private void show(final int codePoint)
    {
        final int width = Line.columns(codePoint);
        if (column + width > columns)
        {
            if (otherScreen)
            {
                mistakes.add("a character beyond the end of line " + row);
            }
            return;
        }
        if (width > 0)
        {
            cells[row][column] = codePoint;
            inverse[row][column] = isInverse;
            if (width == 2)
            {
                // Nothing of what stood there is seen beside a wide one.
                cells[row][column + 1] = ' ';
                inverse[row][column + 1] = isInverse;
            }
            column += width;
        }
    }

    private void control(final String what)
    {
        switch (what)
        {
            case "[?1049h" ->
            {
                otherScreen = true;
                clear();
            }
            case "[?1049l" ->
            {
                otherScreen = false;
                clear();
            }
            case "[?25l" -> cursorHidden = true;
            case "[?25h" -> cursorHidden = false;
            case "[?7l" -> wraps = false;
            case "[?7h" -> wraps = true;
            case "[H" ->
            {
                row = 0;
                column = 0;
            }
            case "[2J" ->
            {
                final int at = row;
                clear();
                row = at;
            }
            case "[K" -> Arrays.fill(cells[row], Math.min(column, columns), columns, ' ');
            case "[J" ->
            {
                Arrays.fill(cells[row], Math.min(column, columns), columns, ' ');
                for (int i = row + 1; i < rows; i++)
                {
                    Arrays.fill(cells[i], ' ');
                }
                frames++;
            }
            case "[0m" -> isInverse = false;
            case "[7m" -> isInverse = true;
            case "[1m", "[2m", "[32m", "[33m", "[36m", "[1;31m" ->
            {
                // Colours are not looked at.
            }
            default -> mistakes.add("sequence " + what);
        }
    }

    /** {@return the lines, without spaces at their ends} */
    synchronized List<String> lines()
    {
        return Arrays.stream(cells).map(line -> new String(line, 0, line.length).stripTrailing()).toList();
    }

    /** {@return the first line that has a text; null if none has} */
    String line(final String text)
    {
        return lines().stream().filter(line -> line.contains(text)).findFirst().orElse(null);
    }

    boolean shows(final String text)
    {
        return line(text) != null;
    }

    /** {@return the lines that are shown inverse, which starts in their first column} */
    synchronized List<String> inverseLines()
    {
        final List<String> all = lines();
        final List<String> found = new ArrayList<>();
        for (int i = 0; i < rows; i++)
        {
            if (inverse[i][0])
            {
                found.add(all.get(i));
            }
        }
        return found;
    }

    synchronized List<String> mistakes()
    {
        return List.copyOf(mistakes);
    }

    /** Whether it is as before the program. */
    synchronized boolean isGivenBack()
    {
        return !otherScreen && !cursorHidden && wraps;
    }

    /** Whole screens that were drawn. */
    synchronized int frames()
    {
        return frames;
    }

    @Override
    public String toString()
    {
        return String.join("\n", lines());
    }
}
