package io.gannet.samples.orderflow.journal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of a journal, little-endian.
 * <pre>
 *  a segment, journal-SEQUENCE.log, zeros where nothing was written:
 *  0        8                     16                24        64
 *  +--------+---------------------+-----------------+---------+---- records ----
 *  | magic  | sequence of first   | configuration   | zeros   |
 *  +--------+---------------------+-----------------+---------+
 *
 *  a record, aligned to 8:
 *  0        4        8          16     24             28    32
 *  +--------+--------+----------+------+--------------+-----+---- command ----
 *  | length | crc32c | sequence | time | command's    | 0   |
 *  |        |        |          |      | length       |     |
 *  +--------+--------+----------+------+--------------+-----+
 * </pre>
 * {@code configuration} is that of the engine, or 0: commands mean the same only to one that has the same.
 * {@code length} counts the whole record and is stored last; the checksum covers everything behind itself.
 */
final class JournalLayout
{
    static final long MAGIC = 0x314C_4E52_4A54_4E47L;
    static final int FIRST_SEQUENCE = 8;
    static final int CONFIGURATION = 16;
    static final int SEGMENT_HEADER = 64;
    static final int LENGTH = 0;
    static final int CHECKSUM = 4;
    static final int SEQUENCE = 8;
    static final int TIME = 16;
    static final int COMMAND_LENGTH = 24;
    static final int RESERVED = 28;
    static final int COMMAND = 32;

    private static final Pattern SEGMENT = Pattern.compile("journal-([0-9]{19})\\.log");
    private static final Pattern SNAPSHOT = Pattern.compile("snapshot-([0-9]{19})\\.state");

    private JournalLayout()
    {
    }

    static Path segment(final Path directory, final long firstSequence)
    {
        return directory.resolve(String.format(Locale.ROOT, "journal-%019d.log", firstSequence));
    }

    static Path snapshot(final Path directory, final long sequence)
    {
        return directory.resolve(String.format(Locale.ROOT, "snapshot-%019d.state", sequence));
    }

    /** Numbers of the segments' first records, ascending. */
    static List<Long> segments(final Path directory) throws IOException
    {
        return numbers(directory, SEGMENT);
    }

    /** Numbers of the snapshots, ascending. */
    static List<Long> snapshots(final Path directory) throws IOException
    {
        return numbers(directory, SNAPSHOT);
    }

    private static List<Long> numbers(final Path directory, final Pattern pattern) throws IOException
    {
        final List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                final Matcher matcher = pattern.matcher(file.getFileName().toString());
                if (matcher.matches())
                {
                    found.add(Long.parseLong(matcher.group(1)));
                }
            }
        }
        found.sort(null);
        return found;
    }
}
