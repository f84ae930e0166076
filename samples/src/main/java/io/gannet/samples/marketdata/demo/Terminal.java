package io.gannet.samples.marketdata.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Standard output as a terminal: draws a block of lines over the one before, in one write. On anything else than a
 * terminal nothing is drawn and texts have no colours.
 */
public final class Terminal implements AutoCloseable
{
    /** How a text looks. */
    public enum Style
    {
        BOLD("1"), DIM("2"), GREEN("32"), RED("31"), YELLOW("33"), CYAN("36");

        private final String code;

        Style(final String code)
        {
            this.code = code;
        }
    }

    private static final int WIDTH = 80;
    private static final String ESCAPE = "\u001b[";

    private final PrintStream out;
    private final boolean interactive;
    private final boolean colours;
    private final boolean unicode;
    private int drawn;

    private Terminal(final PrintStream out, final boolean interactive, final boolean colours, final boolean unicode)
    {
        this.out = out;
        this.interactive = interactive;
        this.colours = colours;
        this.unicode = unicode;
    }

    public static Terminal ofStandardOutput()
    {
        final String type = System.getenv().getOrDefault("TERM", "dumb");
        final boolean interactive = isTerminal() && !type.equals("dumb");
        final Charset charset = System.out.charset();
        return new Terminal(System.out, interactive, interactive && System.getenv("NO_COLOR") == null,
            StandardCharsets.UTF_8.equals(charset));
    }

    /** System.console() looks at standard input as well, which may well be redirected. */
    private static boolean isTerminal()
    {
        try
        {
            final String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        }
        catch (final IOException | RuntimeException unknown)
        {
            return false;
        }
    }

    public boolean isInteractive()
    {
        return interactive;
    }

    public boolean isUnicode()
    {
        return unicode;
    }

    public String styled(final Style style, final String text)
    {
        return colours ? ESCAPE + style.code + "m" + text + ESCAPE + "0m" : text;
    }

    /** Draws over what was drawn last. */
    public void draw(final List<String> lines)
    {
        final StringBuilder frame = new StringBuilder(4096);
        frame.append(drawn == 0 ? ESCAPE + "?25l" : "\r" + ESCAPE + drawn + "A");
        for (final String line : lines)
        {
            frame.append(clipped(line)).append(ESCAPE).append("K\n");
        }
        frame.append(ESCAPE).append('J');
        drawn = lines.size();
        out.print(frame);
        out.flush();
    }

    /** A line that would wrap would spoil the picture: what shows is cut at the terminal's usual width. */
    public static String clipped(final String line)
    {
        int shown = 0;
        boolean inEscape = false;
        for (int i = 0; i < line.length(); i++)
        {
            final char character = line.charAt(i);
            if (inEscape)
            {
                inEscape = character != 'm';
            }
            else if (character == '\u001b')
            {
                inEscape = true;
            }
            else if (++shown > WIDTH)
            {
                return line.substring(0, i) + (line.indexOf('\u001b') < 0 ? "" : ESCAPE + "0m");
            }
        }
        return line;
    }

    public void println(final String text)
    {
        out.println(text);
        out.flush();
    }

    /** Leaves the last picture where it is and gives the cursor back. */
    @Override
    public void close()
    {
        if (drawn > 0)
        {
            drawn = 0;
            out.print(ESCAPE + "?25h");
            out.flush();
        }
    }
}
