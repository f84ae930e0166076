package io.gannet.recording;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds places in a recording by its segments' indexes.
 */
final class Recording
{
    /**
     * Where to begin to read.
     *
     * @param segment number.
     * @param offset  of a block in it.
     * @param stream  number of the stream sought; 0 if it was a time.
     * @param from    position that the block continues.
     */
    record Place(long segment, long offset, int stream, long from)
    {
    }

    private Recording()
    {
    }

    /**
     * The header of the first segment that has one.
     *
     * @throws RecordingException if there is no recording.
     */
    static SegmentHeader firstHeader(final Path directory)
    {
        final List<Long> numbers = SegmentFiles.numbers(directory);
        for (final long number : numbers)
        {
            final SegmentHeader header = header(directory, number);
            if (header != null)
            {
                return header;
            }
        }
        throw new RecordingException(numbers.isEmpty() ? directory + " has no recording in it" :
            directory + " has " + numbers.size() + " files of a recording, none of which is intact at its beginning");
    }

    /** The header of a segment, or null if it is not intact, or was deleted meanwhile. */
    static SegmentHeader header(final Path directory, final long number)
    {
        final Path file = SegmentFiles.segment(directory, number);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            final SegmentHeader header = SegmentHeader.read(channel, file);
            return header != null && header.number() == number ? header : null;
        }
        catch (final NoSuchFileException deleted)
        {
            return null;
        }
        catch (final IOException e)
        {
            throw RecordingException.of("cannot read " + file, e);
        }
    }

    /**
     * Where the newest stream of a session has a position, or what is recorded first behind it.
     *
     * @return null if nothing of the session is recorded.
     */
    static Place find(final Path directory, final int session, final long position)
    {
        int stream = 0;
        Place earliest = null;
        for (final long number : SegmentFiles.numbers(directory).reversed())
        {
            final List<SegmentIndex.Entry> entries = index(directory, number).entries();
            if (stream == 0)
            {
                stream = entries.stream().filter(entry -> entry.session() == session)
                    .mapToInt(SegmentIndex.Entry::stream).max().orElse(0);
            }
            for (final SegmentIndex.Entry entry : entries.reversed())
            {
                if (entry.stream() == stream && entry.session() == session)
                {
                    earliest = new Place(number, entry.offset(), stream, entry.from());
                    if (entry.from() <= position)
                    {
                        return earliest;
                    }
                }
            }
        }
        return earliest;
    }

    /** The sessions of which something is recorded, in the order of their beginning. */
    static Set<Integer> sessions(final Path directory)
    {
        final Set<Integer> sessions = new LinkedHashSet<>();
        for (final long number : SegmentFiles.numbers(directory))
        {
            index(directory, number).entries().forEach(entry -> sessions.add(entry.session()));
        }
        return sessions;
    }

    /** Where to begin to read all that was recorded at a time or later; null if that is the start. */
    static Place find(final Path directory, final long time)
    {
        for (final long number : SegmentFiles.numbers(directory).reversed())
        {
            for (final SegmentIndex.Entry entry : index(directory, number).entries().reversed())
            {
                if (entry.time() + RecordingReader.TIME_SLACK_NANOS < time)
                {
                    return new Place(number, entry.offset(), 0, entry.from());
                }
            }
        }
        return null;
    }

    /** The index of a segment, from its file or made now. */
    static SegmentIndex index(final Path directory, final long number)
    {
        final Path file = SegmentFiles.segment(directory, number);
        try
        {
            final SegmentHeader header = header(directory, number);
            if (header == null)
            {
                return new SegmentIndex();
            }
            final SegmentIndex saved = SegmentIndex.load(directory, header, Files.size(file));
            return saved == null ? scan(directory, number) : saved;
        }
        catch (final NoSuchFileException deleted)
        {
            return new SegmentIndex();
        }
        catch (final IOException e)
        {
            throw RecordingException.of("cannot read " + file, e);
        }
    }

    private static SegmentIndex scan(final Path directory, final long number)
    {
        final SegmentIndex index = new SegmentIndex();
        try (BlockCursor cursor = new BlockCursor(directory, false, (file, offset, length, tail) -> { }))
        {
            if (cursor.seek(number, SegmentHeader.LENGTH))
            {
                while (cursor.next() && cursor.segment().number() == number)
                {
                    index.add(cursor.buffer(), cursor.at(), cursor.offset());
                }
            }
        }
        return index;
    }
}
