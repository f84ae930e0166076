package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import io.gannet.text.Json;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Option;

/**
 * What the subcommands have in common that look at a directory, once or again and again.
 */
abstract class InspectCommand implements Subcommand
{
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    @Option(names = "--dir", paramLabel = "PATH",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--json", description = "Prints one JSON object; with --watch one in a line.")
    private boolean json;

    @Option(names = "--watch", description = "Prints again and again, until Ctrl-C.")
    private boolean watch;

    @Option(names = "--interval", paramLabel = "MS", defaultValue = "1000",
        description = "Milliseconds between two prints of --watch. Default: ${DEFAULT-VALUE}.")
    private long intervalMillis;

    @Override
    public final Integer call()
    {
        if (intervalMillis < 10)
        {
            throw new UsageException("--interval " + intervalMillis + ": at least 10 ms is possible");
        }
        do
        {
            final GannetDirectory where =
                directory == null ? GannetDirectory.ofUser() : new GannetDirectory(directory);
            try (DirectoryView view = DirectoryView.open(where))
            {
                final String text = json ? json(where, view).append('\n').toString() : text(where, view);
                System.out.print((watch && !json ? CLEAR_SCREEN : "") + text);
                System.out.flush();
            }
            if (watch)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(intervalMillis));
            }
        }
        while (watch && !System.out.checkError());
        return 0;
    }

    /** For people. */
    abstract String text(GannetDirectory where, DirectoryView view);

    /** For programs: a complete JSON object. */
    abstract StringBuilder json(GannetDirectory where, DirectoryView view);

    static String heading(final GannetDirectory where, final DirectoryView view)
    {
        return view.driver() + " in " + where + ": " + view.state() + "\n";
    }

    /** Starts a JSON object with the driver's description in it. */
    static Json header(final GannetDirectory where, final DirectoryView view)
    {
        return new Json().object()
            .name("directory").value(where.toString())
            .name("driver").object()
            .name("pid").value(view.driver().pid())
            .name("version").value(view.driver().version())
            .name("epoch").value(view.driver().epoch())
            .name("startTimeMillis").value(view.driver().startTimeMillis())
            .name("state").value(view.state())
            .end();
    }
}
