package io.gannet.control;

import io.gannet.ring.model.ProcessWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A driver runs and is followed by another one, and a client that has the driver's file open tells them apart and says
 * that it is there. That the kernel orders changes of a directory before its listing is not relied on here.
 */
final class DriverFileWorld extends ProcessWorld
{
    private static final Path DIRECTORY = directory();
    private static final String CONTROL = "control file";
    private static final String ENTRY = "entry of the client's file";

    /** What a client knows that has read who the first driver is: the second starts after that. */
    private int[] opened;

    DriverFileWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        delete();
        thread("driver", this::drive);
        thread("client", this::look);
    }

    private static Path directory()
    {
        try
        {
            return Files.createTempDirectory("gannet-driver-file");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void delete()
    {
        MappedFile.delete(new GannetDirectory(DIRECTORY).driver());
    }

    private void drive()
    {
        final DriverFile first = DriverFile.acquire(new GannetDirectory(DIRECTORY), "1");
        first.running();
        while (opened == null)
        {
            idle();
        }
        takeOver(opened);
        pause(20);
        first.close();
        final DriverFile second = DriverFile.acquire(new GannetDirectory(DIRECTORY), "2");
        pause(20);
        write(CONTROL, 2);
        second.running();
        while (second.arrivals() == 0)
        {
            idle();
        }
        if (read(ENTRY) != 1)
        {
            throw new AssertionError("a client has arrived and isn't there");
        }
        second.close();
        delete();
    }

    private void look()
    {
        DriverFile file = null;
        while (file == null)
        {
            idle();
            file = open();
        }
        final DriverInfo info = file.info();
        if (!info.version().equals("1") || info.epoch() == 0)
        {
            throw new AssertionError("not the first driver: " + info);
        }
        opened = handOver();
        while (file.epoch() == info.epoch() || !file.isRunning())
        {
            idle();
        }
        if (read(CONTROL) != 2)
        {
            throw new AssertionError("the second driver is taken to run before it does");
        }
        write(ENTRY, 1);
        file.arrive();
        file.close();
    }

    private static DriverFile open()
    {
        try
        {
            return DriverFile.open(new GannetDirectory(DIRECTORY), true);
        }
        catch (final ControlException ex)
        {
            return null;
        }
    }
}
