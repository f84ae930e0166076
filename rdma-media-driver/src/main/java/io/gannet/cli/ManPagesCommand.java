package io.gannet.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code gannet man-pages}: writes the manual pages, which packages contain.
 */
@Command(name = "man-pages", hidden = true, description = "Writes a manual page of each command into a directory.")
public final class ManPagesCommand implements Subcommand
{
    @Parameters(paramLabel = "DIR", description = "Directory; made if it is not there.")
    private Path directory;

    @Override
    public Integer call() throws IOException
    {
        Files.createDirectories(directory);
        write(Main.commandLine(""));
        return 0;
    }

    private void write(final CommandLine line) throws IOException
    {
        final ManPage page = new ManPage(line);
        Files.writeString(directory.resolve(page.name() + ".1"), page.text());
        for (final CommandLine child : line.getSubcommands().values())
        {
            if (!child.getCommandSpec().usageMessage().hidden() && !"help".equals(child.getCommandName()))
            {
                write(child);
            }
        }
    }
}
