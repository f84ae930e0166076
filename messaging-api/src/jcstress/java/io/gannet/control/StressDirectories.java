package io.gannet.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

/** Directories that the states of a stress test take in turn; there are fewer states at a time. */
final class StressDirectories
{
    static final int COUNT = 160;

    private final GannetDirectory[] directories = new GannetDirectory[COUNT];
    private final AtomicInteger next = new AtomicInteger();

    StressDirectories()
    {
        try
        {
            for (int i = 0; i < COUNT; i++)
            {
                directories[i] = new GannetDirectory(Files.createTempDirectory("gannet-stress"));
                Files.createDirectories(directories[i].clients());
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::delete));
    }

    GannetDirectory get(final int index)
    {
        return directories[index];
    }

    int nextIndex()
    {
        return Math.floorMod(next.getAndIncrement(), COUNT);
    }

    private void delete()
    {
        for (final GannetDirectory directory : directories)
        {
            try (var files = Files.list(directory.clients()))
            {
                files.forEach(MappedFile::delete);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            MappedFile.delete(directory.clients());
            MappedFile.delete(directory.driver());
            MappedFile.delete(directory.pipe());
            MappedFile.delete(directory.path());
        }
    }
}
