package io.gannet.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A client connects: the driver that sees it connected finds cleared rings with the first command in them. */
@JCStressTest
@Outcome(id = {"false, 0", "true, 1"}, expect = Expect.ACCEPTABLE, desc = "not connected, or with its first command")
@Outcome(expect = Expect.FORBIDDEN, desc = "connected before its first command")
@State
public class ConnectStress
{
    private static final int FILES = 160;
    private static final ClientFile[] CLIENTS = new ClientFile[FILES];
    private static final ClientFile[] DRIVERS = new ClientFile[FILES];
    private static final AtomicInteger NEXT = new AtomicInteger();

    static
    {
        try
        {
            final GannetDirectory directory = new GannetDirectory(Files.createTempDirectory("gannet-connect"));
            final Path clients = Files.createDirectories(directory.clients());
            for (int i = 0; i < FILES; i++)
            {
                CLIENTS[i] = ClientFile.create(directory, "test");
                DRIVERS[i] = ClientFile.attach(directory, CLIENTS[i].clientId());
                CLIENTS[i].delete();
            }
            Files.delete(clients);
            Files.delete(directory.path());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private final ClientFile client;
    private final ClientFile driver;

    /** A client's file after the end of a driver. States in use are fewer than files. */
    public ConnectStress()
    {
        final int index = Math.floorMod(NEXT.getAndIncrement(), FILES);
        client = CLIENTS[index];
        driver = DRIVERS[index];
        client.clearRings();
    }

    /** Sends the first command and connects. */
    @Actor
    public void connect()
    {
        client.commandWriter().connect(1, 7);
        client.connectTo(7);
    }

    /** Reads what is there when it is connected. */
    @Actor
    public void read(final ZI_Result result)
    {
        result.r1 = driver.connectedEpoch() == 7;
        result.r2 = result.r1 ? driver.commands().read((type, buffer, index, length) -> { }, 10) : 0;
    }
}
