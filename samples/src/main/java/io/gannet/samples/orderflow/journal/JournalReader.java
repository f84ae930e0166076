package io.gannet.samples.orderflow.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads a journal from some command on. Every record is checked. A file may end in a torn record, which was never
 * acknowledged to anybody, if nothing is intact behind it; anything else that does not fit is damage, and said so.
 */
public final class JournalReader
{
    /** Takes one command. */
    @FunctionalInterface
    public interface Handler
    {
        /** The bytes are valid until return. */
        void onCommand(long sequence, long time, DirectBuffer buffer, int offset, int length) throws IOException;
    }

    /**
     * What was found.
     *
     * @param lastSequence of the last command, or that before the first wanted one if there is none.
     * @param commands     handed on.
     * @param tornBytes    of records that were cut short.
     */
    public record Summary(long lastSequence, long commands, long tornBytes)
    {
    }

    private final CRC32C checksum = new CRC32C();
    private final Path directory;
    private final long configuration;
    private long expected;
    /** Of the command that comes next in the file. */
    private long number;
    private long commands;
    private long tornBytes;

    private JournalReader(final Path directory, final long after, final long configuration)
    {
        this.directory = directory;
        this.configuration = configuration;
        expected = after + 1;
    }

    /**
     * Hands on all commands behind {@code after}.
     *
     * @param configuration of the engine that they are for; 0: any.
     * @throws JournalException if a command is missing or damaged, or is another engine's.
     */
    public static Summary read(
        final Path directory, final long after, final long configuration, final Handler handler)
        throws IOException
    {
        final JournalReader reader = new JournalReader(directory, after, configuration);
        final List<Long> segments = JournalLayout.segments(directory);
        for (int i = 0; i < segments.size(); i++)
        {
            if (i + 1 == segments.size() || segments.get(i + 1) > reader.expected)
            {
                reader.segment(segments.get(i), handler);
            }
        }
        return new Summary(reader.expected - 1, reader.commands, reader.tornBytes);
    }

    private void segment(final long first, final Handler handler) throws IOException
    {
        final Path file = JournalLayout.segment(directory, first);
        if (first > expected)
        {
            throw new JournalException(file + " begins with command " + first + ", but " + expected +
                " was to be next: a file is missing, or its end is damaged");
        }
        ByteBuffer bytes = content(file);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        if (buffer.capacity() < JournalLayout.SEGMENT_HEADER ||
            buffer.getLong(0, ByteOrder.LITTLE_ENDIAN) != JournalLayout.MAGIC ||
            buffer.getLong(JournalLayout.FIRST_SEQUENCE, ByteOrder.LITTLE_ENDIAN) != first)
        {
            if (isZero(buffer, 0))
            {
                return;
            }
            throw new JournalException(file + " is no journal of this version");
        }
        final long itsConfiguration = buffer.getLong(JournalLayout.CONFIGURATION, ByteOrder.LITTLE_ENDIAN);
        if (configuration != 0 && itsConfiguration != 0 && configuration != itsConfiguration)
        {
            throw new JournalException(file + " is of an engine with other instruments or limits. Start with those " +
                "(--instruments), or choose another --journal");
        }
        number = first;
        int at = JournalLayout.SEGMENT_HEADER;
        for (boolean again = false; ; again = true)
        {
            at = handOn(bytes, buffer, at, handler);
            if (at >= buffer.capacity() || isZero(buffer, at))
            {
                return;
            }
            final long behind = intactBehind(bytes, buffer, at);
            if (behind == 0)
            {
                return;
            }
            if (again)
            {
                throw new JournalException(file + " is damaged at byte " + at + ": command " + number +
                    " is not intact, but command " + behind + " behind it is. Restore the file from a copy");
            }
            // An engine may have written both since this one was read.
            bytes = content(file);
            buffer.wrap(bytes);
        }
    }

    /** Hands on what is intact from there; returns where it ends. */
    private int handOn(final ByteBuffer bytes, final UnsafeBuffer buffer, final int from, final Handler handler)
        throws IOException
    {
        int at = from;
        while (isIntact(bytes, buffer, at, number))
        {
            if (number == expected)
            {
                handler.onCommand(number, buffer.getLong(at + JournalLayout.TIME, ByteOrder.LITTLE_ENDIAN), buffer,
                    at + JournalLayout.COMMAND,
                    buffer.getInt(at + JournalLayout.COMMAND_LENGTH, ByteOrder.LITTLE_ENDIAN));
                expected++;
                commands++;
            }
            at += buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
            number++;
        }
        return at;
    }

    private static ByteBuffer content(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            final ByteBuffer bytes = ByteBuffer.allocateDirect((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0)
            {
                Thread.onSpinWait();
            }
            return bytes.clear();
        }
    }

    private boolean isIntact(final ByteBuffer bytes, final UnsafeBuffer buffer, final int at, final long number)
    {
        if (buffer.capacity() - at < JournalLayout.COMMAND)
        {
            return false;
        }
        final int length = buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
        if (length < JournalLayout.COMMAND || (length & 7) != 0 || length > buffer.capacity() - at)
        {
            return false;
        }
        final int command = buffer.getInt(at + JournalLayout.COMMAND_LENGTH, ByteOrder.LITTLE_ENDIAN);
        if (buffer.getLong(at + JournalLayout.SEQUENCE, ByteOrder.LITTLE_ENDIAN) != number || command < 0 ||
            command > length - JournalLayout.COMMAND)
        {
            return false;
        }
        checksum.reset();
        checksum.update(bytes.clear().limit(at + length).position(at + JournalLayout.SEQUENCE));
        bytes.clear();
        return (int) checksum.getValue() == buffer.getInt(at + JournalLayout.CHECKSUM, ByteOrder.LITTLE_ENDIAN);
    }

    private static boolean isZero(final UnsafeBuffer buffer, final int from)
    {
        for (int i = from; i + 8 <= buffer.capacity(); i += 8)
        {
            if (buffer.getLong(i) != 0)
            {
                return false;
            }
        }
        return true;
    }

    /** A torn tail has nothing intact behind it, and is counted; else the number of that command. */
    private long intactBehind(final ByteBuffer bytes, final UnsafeBuffer buffer, final int at)
    {
        int end = at;
        for (int i = at; i + JournalLayout.COMMAND <= buffer.capacity(); i += 8)
        {
            final long found = buffer.getLong(i + JournalLayout.SEQUENCE, ByteOrder.LITTLE_ENDIAN);
            if (found > number && found - number < buffer.capacity() && isIntact(bytes, buffer, i, found))
            {
                return found;
            }
            if (buffer.getLong(i) != 0)
            {
                end = i + 8;
            }
        }
        tornBytes += end - at;
        return 0;
    }
}
