package io.gannet.cli;

import io.gannet.GannetException;
import io.gannet.control.ControlException;
import io.gannet.control.PrintableText;
import io.gannet.driver.ConfigurationException;
import io.gannet.errors.Coded;
import io.gannet.errors.ErrorCodes;
import io.gannet.os.OsException;
import io.gannet.systemd.Journal;
import io.gannet.systemd.Priority;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;

/**
 * What an operator can put right, told in one line; the system property {@code gannet.stack-trace=true} puts the stack
 * trace before it.
 */
final class Mistakes
{
    private static final int MAX_LINE = 4_000;
    private static final String STACK_TRACE = "gannet.stack-trace";
    /** Before a line, where standard error is the journal, which would take it for news else. */
    private static final String PREFIX =
        Journal.takesStandardError(System.getenv()) ? Priority.ERROR.prefix() : "";

    private Mistakes()
    {
    }

    /** Tells of a failure, if it is of that kind. */
    static boolean tell(final PrintWriter err, final Exception failure)
    {
        if (failure instanceof final UncheckedIOException wrapped)
        {
            return tell(err, wrapped.getCause());
        }
        if (failure instanceof final IOException unreadable)
        {
            oneLine(err, ErrorCodes.of(failure).tag(text(unreadable)));
            return true;
        }
        if (failure instanceof Coded || failure instanceof GannetException ||
            failure instanceof ControlException || failure instanceof OsException ||
            failure instanceof IllegalArgumentException)
        {
            if (Boolean.getBoolean(STACK_TRACE))
            {
                failure.printStackTrace(err);
            }
            oneLine(err, ErrorCodes.of(failure).tag(
                failure.getMessage() == null ? failure.toString() : failure.getMessage().strip()));
            return true;
        }
        return false;
    }

    /** The exceptions of the file system have a path for a message, and their class says what is wrong with it. */
    private static String text(final IOException failure)
    {
        return switch (failure)
        {
            case NoSuchFileException missing -> missing.getFile() + ": no such file or directory";
            case AccessDeniedException denied -> denied.getFile() + ": permission denied";
            case FileSystemException other when other.getReason() == null -> other.toString();
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
    }

    /** The exit code of a failure: that of a wrong command line if a value that somebody gave is why. */
    static int exitCode(final Exception failure)
    {
        return failure instanceof UsageException || failure instanceof ConfigurationException ||
            failure instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    static void oneLine(final PrintWriter err, final String message)
    {
        err.println(PREFIX + "gannet: " + PrintableText.of(message.strip().replaceAll("\\R\\s*", " "), MAX_LINE));
        err.flush();
    }
}
