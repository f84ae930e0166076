package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import java.time.Instant;
import org.agrona.concurrent.errors.ErrorLogReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet errors}: the distinct-error log.
 */
@Command(name = "errors",
    description = "Prints the distinct errors of a driver, dead or alive: how often, first and last time.")
public final class ErrorsCommand extends InspectCommand
{
    @Option(names = "--stack-traces", description = "Prints the stack traces as well.")
    private boolean stackTraces;

    @Override
    String text(final GannetDirectory where, final DirectoryView view)
    {
        final StringBuilder text = new StringBuilder(heading(where, view));
        final int count = ErrorLogReader.read(view.control().errorLogBuffer(), (observed, first, last, error) ->
            text.append(String.format("%,8d x  %s .. %s  %s%n", observed, Instant.ofEpochMilli(first),
                Instant.ofEpochMilli(last), stackTraces ? error : firstLine(error))));
        return text.append(count == 0 ? "no errors\n" : "").toString();
    }

    @Override
    StringBuilder json(final GannetDirectory where, final DirectoryView view)
    {
        final Json json = header(where, view).name("errors").array();
        ErrorLogReader.read(view.control().errorLogBuffer(), (observed, first, last, error) -> json.object()
            .name("count").value(observed)
            .name("firstTimeMillis").value(first)
            .name("lastTimeMillis").value(last)
            .name("error").value(stackTraces ? error : firstLine(error))
            .end());
        return json.end().end().text();
    }

    private static String firstLine(final String error)
    {
        return error.lines().findFirst().orElse("");
    }
}
