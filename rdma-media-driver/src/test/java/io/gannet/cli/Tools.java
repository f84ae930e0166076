package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import java.nio.file.Path;

/** What {@code gannet streams} and {@code gannet stat} print about a directory, for tests of other packages. */
public final class Tools
{
    private Tools()
    {
    }

    /** {@return what {@code gannet streams} prints} */
    public static String streams(final Path directory)
    {
        return text(new StreamsCommand(), directory);
    }

    /** {@return what {@code gannet streams --json} prints} */
    public static String streamsJson(final Path directory)
    {
        final GannetDirectory where = new GannetDirectory(directory);
        try (DirectoryView view = DirectoryView.open(where))
        {
            return new StreamsCommand().json(where, view).toString();
        }
    }

    /** {@return what {@code gannet stat} prints} */
    public static String stat(final Path directory)
    {
        return text(new StatCommand(), directory);
    }

    private static String text(final InspectCommand command, final Path directory)
    {
        final GannetDirectory where = new GannetDirectory(directory);
        try (DirectoryView view = DirectoryView.open(where))
        {
            return command.text(where, view);
        }
    }
}
