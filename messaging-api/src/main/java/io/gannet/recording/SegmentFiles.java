package io.gannet.recording;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of the files in a recording's directory.
 */
final class SegmentFiles
{
    private static final Pattern SEGMENT = Pattern.compile("segment-([0-9]{10})\\.rec");

    private SegmentFiles()
    {
    }

    static Path segment(final Path directory, final long number)
    {
        return directory.resolve(String.format(Locale.ROOT, "segment-%010d.rec", number));
    }

    static Path index(final Path directory, final long number)
    {
        return directory.resolve(String.format(Locale.ROOT, "segment-%010d.idx", number));
    }

    static Path temporary(final Path directory)
    {
        return directory.resolve("new.tmp");
    }

    /** Its lock is held by the recorder. */
    static Path lock(final Path directory)
    {
        return directory.resolve("lock");
    }

    /** Numbers of the segments, ascending. */
    static List<Long> numbers(final Path directory)
    {
        final List<Long> numbers = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                final Matcher matcher = SEGMENT.matcher(file.getFileName().toString());
                if (matcher.matches())
                {
                    numbers.add(Long.parseLong(matcher.group(1)));
                }
            }
        }
        catch (final NotDirectoryException | java.nio.file.NoSuchFileException e)
        {
            return List.of();
        }
        catch (final DirectoryIteratorException e)
        {
            throw RecordingException.of("cannot read the recording's directory " + directory, e.getCause());
        }
        catch (final IOException e)
        {
            throw RecordingException.of("cannot read the recording's directory " + directory, e);
        }
        numbers.sort(null);
        return numbers;
    }
}
