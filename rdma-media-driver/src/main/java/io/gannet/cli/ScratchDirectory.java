package io.gannet.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A driver's directory that lives as long as a command.
 *
 * @param path on tmpfs.
 */
record ScratchDirectory(Path path) implements AutoCloseable
{
    static ScratchDirectory create()
    {
        try
        {
            return new ScratchDirectory(Files.createTempDirectory(Path.of("/dev/shm"), "gannet-scratch-"));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close()
    {
        try (Stream<Path> tree = Files.walk(path))
        {
            final List<Path> files = tree.sorted(Comparator.reverseOrder()).toList();
            for (final Path file : files)
            {
                Files.deleteIfExists(file);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
