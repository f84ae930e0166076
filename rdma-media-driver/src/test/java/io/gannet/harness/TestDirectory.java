package io.gannet.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fresh directory on tmpfs for one test.
 */
public final class TestDirectory
{
    private static final Path SHM = Path.of("/dev/shm");

    private TestDirectory()
    {
    }

    /** Makes one; the caller {@link #remove}s it. */
    public static Path create(final String name)
    {
        try
        {
            return Files.createTempDirectory(SHM, "gannet-test-" + name + "-");
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes a directory with all that is in it; one that is a mount stays, empty. */
    public static void remove(final Path directory)
    {
        try (Stream<Path> tree = Files.walk(directory))
        {
            for (final Path path : tree.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(path);
            }
        }
        catch (final java.nio.file.FileSystemException e)
        {
            throw new AssertionError("can't remove " + directory, e);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Names of the files in a directory, sorted; empty when it is not there. */
    public static List<String> list(final Path directory)
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory))
        {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
