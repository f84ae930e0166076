package io.gannet.control;

import io.gannet.ring.model.ProcessWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A client makes its file and lets a driver use its rings. The driver finds the file by its name; that the kernel
 * orders a rename before an open is not relied on here.
 */
final class ClientFileWorld extends ProcessWorld
{
    private static final Path DIRECTORY = directory();
    private static final int EPOCH = 7;
    private static final String COMMAND = "first command";

    private long clientId;

    ClientFileWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        thread("client", this::client);
        thread("driver", this::driver);
    }

    private static Path directory()
    {
        try
        {
            final Path directory = Files.createTempDirectory("gannet-client-file");
            Files.createDirectories(new GannetDirectory(directory).client(1).getParent());
            return directory;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void client()
    {
        final ClientFile file = ClientFile.create(new GannetDirectory(DIRECTORY), "test");
        clientId = file.clientId();
        pause(20);
        file.clearRings();
        write(COMMAND, EPOCH);
        file.connectTo(EPOCH);
        pause(20);
        while (clientId != 0)
        {
            idle();
        }
        file.delete();
        file.close();
    }

    private void driver()
    {
        ClientFile file = null;
        while (file == null)
        {
            idle();
            file = clientId == 0 ? null : attach();
        }
        if (file.clientId() != clientId || !file.name().equals("test") || file.protocolVersion() == 0)
        {
            throw new AssertionError("not the client");
        }
        while (file.connectedEpoch() != EPOCH)
        {
            idle();
        }
        if (read(COMMAND) != EPOCH)
        {
            throw new AssertionError("connected before its first command");
        }
        file.close();
        clientId = 0;
    }

    private ClientFile attach()
    {
        try
        {
            return ClientFile.attach(new GannetDirectory(DIRECTORY), clientId);
        }
        catch (final ControlException ex)
        {
            return null;
        }
    }
}
