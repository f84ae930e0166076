package io.gannet.cli;

import io.gannet.Gannet;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Adds a publication and handles nothing that goes wrong, as any command may do. */
@Command(name = "add-publication", hidden = true)
public final class AddPublicationCommand implements Subcommand
{
    @Option(names = "--dir", required = true)
    private Path directory;

    @Option(names = "--channel", required = true)
    private String channel;

    @Override
    public Integer call()
    {
        try (Gannet gannet = Gannet.connect(new Gannet.Context().directory(directory)))
        {
            gannet.addPublication(channel, 1).close();
        }
        return 0;
    }
}
