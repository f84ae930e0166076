package io.gannet.perf.rig;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Every process and file of a run. However the run ends, the processes end and the directory is removed; what a killed
 * rig left behind is removed by the next.
 */
final class Children implements AutoCloseable
{
    private static final String PREFIX = "gannet-perf-";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path directory;
    private final List<ChildProcess> processes = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::end, "rig-end");

    Children() throws IOException
    {
        final Path parent =
            Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        removeStale(parent);
        directory = Files.createTempDirectory(parent, PREFIX + ProcessHandle.current().pid() + "-");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Path directory()
    {
        return directory;
    }

    ChildProcess start(final String name, final Class<?> main, final List<String> flags) throws IOException
    {
        final ChildProcess child = new ChildProcess(name, main, flags);
        processes.add(child);
        return child;
    }

    ChildProcess start(
        final String name, final List<String> prefix, final Class<?> main, final List<String> flags) throws IOException
    {
        final ChildProcess child = new ChildProcess(name, prefix, main, flags);
        processes.add(child);
        return child;
    }

    /** Ends one child in good order. */
    void stop(final ChildProcess child)
    {
        child.close();
        processes.remove(child);
    }

    @Override
    public void close()
    {
        for (int i = processes.size() - 1; i >= 0; i--)
        {
            processes.get(i).close();
        }
        end();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException e)
        {
            // The program is ending already, by Ctrl-C for one, and the hook does the same.
            processes.clear();
        }
    }

    private void end()
    {
        processes.forEach(ChildProcess::kill);
        delete(directory);
    }

    private static void removeStale(final Path parent) throws IOException
    {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*"))
        {
            for (final Path path : found)
            {
                final String owner = path.getFileName().toString().substring(PREFIX.length()).split("-", 2)[0];
                if (owner.matches("[0-9]{1,18}") && ProcessHandle.of(Long.parseLong(owner)).isEmpty() &&
                    Files.isWritable(path))
                {
                    delete(path);
                }
            }
        }
    }

    private static void delete(final Path root)
    {
        if (!Files.exists(root))
        {
            return;
        }
        try
        {
            Files.walkFileTree(root, new SimpleFileVisitor<>()
            {
                @Override
                public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes)
                    throws IOException
                {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(final Path file, final IOException e)
                {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(final Path path, final IOException e) throws IOException
                {
                    Files.deleteIfExists(path);
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        catch (final IOException e)
        {
            System.err.println("gannet perf: " + root + " could not be removed: " + e);
        }
    }
}
