package io.gannet.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process holds of the system's.
 *
 * @param descriptors  open.
 * @param mappings     of files of tests' directories, also of files that were deleted.
 * @param anonymousKib of memory that is in use and no file's: heap, code, native allocations.
 * @param sharedKib    of files on tmpfs that are mapped and touched.
 */
public record Holdings(long descriptors, long mappings, long anonymousKib, long sharedKib)
{
    private static final String DIRECTORIES = "/dev/shm/gannet-test-";
    private static final int PAGE = 4096;
    /** Opened when they are needed first: the pipe of a driver with a NIC, the socket of jcmd. */
    private static final int LATE_DESCRIPTORS = 2;

    /** Of a process that lives. */
    public static Holdings of(final long pid)
    {
        final Path process = Path.of("/proc", Long.toString(pid));
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"));
            Stream<String> mappings = Files.lines(process.resolve("maps")))
        {
            final List<String> status = Files.readAllLines(process.resolve("status"));
            return new Holdings(descriptors.count(), mappings.filter(line -> line.contains(DIRECTORIES)).count(),
                kib(status, "RssAnon:"), kib(status, "RssShmem:"));
        }
        catch (final IOException gone)
        {
            throw new UncheckedIOException(gone);
        }
    }

    private static long kib(final List<String> status, final String key)
    {
        final String line = status.stream().filter(text -> text.startsWith(key)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** Bytes of a directory's files but for text of a few lines; a tmpfs has none that is not in memory. */
    public static long bytesOf(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length())
                .filter(length -> length >= PAGE).sum();
        }
        catch (final IOException | UncheckedIOException goneMeanwhile)
        {
            return -1;
        }
    }

    /** Whether this is no more than {@code other}, but for what is opened late, and for some slack of memory. */
    public boolean isAtMost(final Holdings other, final long slackKib)
    {
        return descriptors <= other.descriptors + LATE_DESCRIPTORS && mappings <= other.mappings &&
            anonymousKib <= other.anonymousKib + slackKib && sharedKib <= other.sharedKib + slackKib;
    }
}
