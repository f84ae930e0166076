package io.gannet.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One run of the command in this process: exit code and what it printed. Tests that use it hold the locks of
 * {@code Resources.SYSTEM_OUT} and {@code SYSTEM_ERR}.
 *
 * @param exitCode of the command.
 * @param out      standard output.
 * @param err      standard error.
 */
public record Captured(int exitCode, String out, String err)
{
    /** Runs {@code gannet} with some arguments. */
    public static Captured run(final String... arguments)
    {
        final PrintStream realOut = System.out;
        final PrintStream realErr = System.err;
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try
        {
            final int exitCode = Main.run(arguments);
            return new Captured(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
        finally
        {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }

    List<String> lines()
    {
        return out.lines().toList();
    }
}
