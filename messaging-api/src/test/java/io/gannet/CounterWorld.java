package io.gannet;

import io.gannet.control.ControlFile;
import io.gannet.control.DriverInfo;
import io.gannet.control.GannetDirectory;
import io.gannet.ring.model.ProcessWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.status.CountersReader;

/** An application's thread sets a counter while the conductor moves it from one driver's control file to the next. */
final class CounterWorld extends ProcessWorld
{
    private static final int VALUES = 12;
    private static final ControlFile[] FILES = {file(), file(), file()};
    private static final ControlFile LAST = FILES[FILES.length - 1];
    private static final String COUNTED = "counted";

    private final MappedCounter counter = new MappedCounter(null, 1000, "test");

    CounterWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        counter.moveTo(FILES[0], 0);
        thread("writer", this::write);
        thread("conductor", this::move);
        thread("reader", this::get);
        thread("stat", this::look);
    }

    private static ControlFile file()
    {
        try
        {
            final Path directory = Files.createTempDirectory("gannet-counters");
            final ControlFile file = ControlFile.create(
                new GannetDirectory(directory), new DriverInfo(1, 1, "test", 1, 1, 1), 1, 4096);
            Files.delete(directory.resolve("control"));
            Files.delete(directory);
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void write()
    {
        for (int i = 1; i <= VALUES; i++)
        {
            pause(6);
            if (i == VALUES)
            {
                write(COUNTED, i);
            }
            counter.add(1);
        }
    }

    /** In the process: what was written before the value is seen with it. */
    private void get()
    {
        while (counter.get() != VALUES)
        {
            idle();
        }
        checkCounted();
    }

    /** In another process, through the control file. */
    private void look()
    {
        final long address = LAST.valuesBuffer().addressOffset() + CountersReader.counterOffset(0);
        while (observe(address, "MappedCounter$Place") != VALUES)
        {
            idle();
        }
        checkCounted();
    }

    private static void checkCounted()
    {
        if (read(COUNTED) != VALUES)
        {
            throw new AssertionError("counted before it was there");
        }
    }

    private void move()
    {
        for (int i = 1; i < FILES.length; i++)
        {
            pause(40);
            counter.moveTo(FILES[i], 0);
        }
    }

    @Override
    protected void check()
    {
        final long shown = newest(LAST.valuesBuffer().addressOffset() + CountersReader.counterOffset(0));
        if (shown != VALUES)
        {
            throw new AssertionError("the counter shows " + shown + " and is " + VALUES);
        }
    }
}
