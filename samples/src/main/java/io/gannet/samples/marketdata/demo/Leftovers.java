package io.gannet.samples.marketdata.demo;

import io.gannet.control.GannetDirectory;
import io.gannet.os.Errno;
import io.gannet.os.OsException;
import io.gannet.os.SharedFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Directories of demos that were killed and so could not remove them.
 */
public final class Leftovers
{
    /** Followed by the pid of the demo, a dash and something random. */
    public static final String PREFIX = "gannet-demo-";

    /** Where pids of containers can't be seen, the lock of a driver that has just been started may not be there yet. */
    private static final Duration YOUNG = Duration.ofMinutes(1);
    private static final Pattern NAME = Pattern.compile(PREFIX + "([1-9][0-9]{0,17})-.+");

    private Leftovers()
    {
    }

    /** Removes those whose process is gone, that no driver has locked and that may be removed. */
    public static void remove(final Path parent) throws IOException
    {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*"))
        {
            for (final Path directory : all)
            {
                removeIfLeft(directory);
            }
        }
    }

    private static void removeIfLeft(final Path directory)
    {
        try
        {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && isOfDead(directory) && isOld(directory) &&
                !isAnyDriverAlive(directory))
            {
                Directories.delete(directory);
            }
        }
        catch (final IOException anotherUsers)
        {
            // Not this user's to remove; nothing here depends on it.
            return;
        }
    }

    private static boolean isOfDead(final Path directory)
    {
        final Matcher matcher = NAME.matcher(directory.getFileName().toString());
        return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty();
    }

    private static boolean isOld(final Path directory) throws IOException
    {
        return Files.getLastModifiedTime(directory).toInstant().isBefore(Instant.now().minus(YOUNG));
    }

    /** A driver has the directory itself, or one in it. */
    private static boolean isAnyDriverAlive(final Path directory) throws IOException
    {
        boolean alive = isDriverAlive(directory);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, path ->
            Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)))
        {
            for (final Path each : all)
            {
                alive |= isDriverAlive(each);
            }
        }
        return alive;
    }

    private static boolean isDriverAlive(final Path directory)
    {
        try (SharedFile file = SharedFile.openToRead(new GannetDirectory(directory).driver()))
        {
            return file.isLockedByOther();
        }
        catch (final OsException problem)
        {
            return problem.errno() != Errno.ENOENT;
        }
    }
}
