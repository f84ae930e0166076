package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import io.gannet.control.PrintableText;
import io.gannet.text.Json;
import io.gannet.errors.ErrorCodes;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final int MAX_LINE = 2_000;
    private static final Pattern CODE = Pattern.compile("\\((E\\d{3})\\)$");

    @Option(names = "--stack-traces", description = "Prints the stack traces as well.")
    private boolean stackTraces;

    @Override
    String text(final GannetDirectory where, final DirectoryView view)
    {
        final StringBuilder text = new StringBuilder(heading(where, view));
        final int count = ErrorLogReader.read(view.control().errorLogBuffer(), (observed, first, last, error) ->
            text.append(String.format("%,8d x  %s .. %s  %s%n", observed, Instant.ofEpochMilli(first),
                Instant.ofEpochMilli(last), stackTraces ? trace(error) : firstLine(error))));
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
            .name("code").value(code(error))
            .name("error").value(stackTraces ? error : firstLine(error))
            .end());
        return json.end().end().text();
    }

    /** Of a line that ends with one, or of the exception that it is of. */
    private static String code(final String error)
    {
        final Matcher tagged = CODE.matcher(firstLine(error));
        return tagged.find() ? tagged.group(1) : "";
    }

    private static String firstLine(final String error)
    {
        final String line = error.lines().findFirst().orElse("");
        return PrintableText.of(ErrorCodes.ofLogged(line).tag(line), MAX_LINE);
    }

    private static String trace(final String error)
    {
        return error.lines().map(line -> PrintableText.of(line.replace("\t", "    "), MAX_LINE))
            .collect(java.util.stream.Collectors.joining("\n"));
    }
}
