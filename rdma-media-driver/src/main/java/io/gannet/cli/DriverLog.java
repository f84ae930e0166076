package io.gannet.cli;

import io.gannet.systemd.Journal;
import io.gannet.systemd.Priority;
import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * A driver's log: lines on standard error, with priorities if that is the journal. Any thread.
 *
 * @param out      where they go.
 * @param journals whether a line starts with its priority.
 */
record DriverLog(PrintStream out, boolean journals) implements Consumer<String>
{
    /** Of this process. */
    static DriverLog ofProcess()
    {
        return new DriverLog(System.err, Journal.takesStandardError(System.getenv()));
    }

    @Override
    public void accept(final String line)
    {
        final Priority priority = line.startsWith("error: ") ? Priority.ERROR :
            line.startsWith("warning: ") ? Priority.WARNING : Priority.INFO;
        out.println((journals ? priority.prefix() : "") + "gannet driver: " + line);
    }
}
