package io.gannet.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A client makes its file: a driver that lists the directory finds none, or all of it. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "with its description")
@Outcome(expect = Expect.FORBIDDEN, desc = "there without its description, or refused")
@State
public class ClientFileStress
{
    private static final String NAME = "stress";
    private static final StressDirectories DIRECTORIES = new StressDirectories();
    private static final ClientFile[] CLIENTS = new ClientFile[StressDirectories.COUNT];

    private final int index = DIRECTORIES.nextIndex();

    /** A directory without clients. */
    public ClientFileStress()
    {
        if (CLIENTS[index] != null)
        {
            CLIENTS[index].delete();
            CLIENTS[index].close();
        }
    }

    /** The client. */
    @Actor
    public void make()
    {
        CLIENTS[index] = ClientFile.create(DIRECTORIES.get(index), NAME);
    }

    /** The driver. */
    @Actor
    public void list(final I_Result result)
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(DIRECTORIES.get(index).clients(), "[0-9a-f]*"))
        {
            for (final Path file : files)
            {
                result.r1 = look(Long.parseUnsignedLong(file.getFileName().toString(), 16));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private int look(final long clientId)
    {
        try (ClientFile client = ClientFile.attach(DIRECTORIES.get(index), clientId))
        {
            return client.clientId() == clientId && client.name().equals(NAME) && client.pid() != 0 ? 1 : 2;
        }
        catch (final ControlException ex)
        {
            return 3;
        }
    }
}
