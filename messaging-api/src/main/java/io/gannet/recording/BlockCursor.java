package io.gannet.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Goes from intact block to intact block of a recording, also of one that is being written, and over the ends of
 * segments. Files are read, never mapped: one that is cut meanwhile ends early and does no harm. Whatever is in them,
 * the cursor goes forward and ends. Not thread-safe.
 */
final class BlockCursor implements AutoCloseable
{
    private static final int WINDOW = 1 << 20;
    private static final int SMALL_READ = 4096;

    private enum Look
    {
        BLOCK,
        END,
        AGAIN
    }

    private final Path directory;
    private final DamageHandler damage;
    private final boolean withPayload;
    private final CRC32C checksum = new CRC32C();
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private ByteBuffer window;
    private long windowStart;
    private int windowLength;

    private FileChannel channel;
    private Path file;
    private SegmentHeader segment;
    private long recordingId;
    /** Where the next block is expected. */
    private long next = SegmentHeader.LENGTH;
    private long tail;
    private boolean cutShort;
    private boolean followed;
    private long current;
    private long lastSequence;

    /** With {@code withPayload} false only headers are read and checked. */
    BlockCursor(final Path directory, final boolean withPayload, final DamageHandler damage)
    {
        this.directory = directory;
        this.withPayload = withPayload;
        this.damage = damage;
        useWindow(withPayload ? WINDOW : SMALL_READ);
    }

    private void useWindow(final int size)
    {
        window = ByteBuffer.allocateDirect(size);
        buffer.wrap(window);
        windowLength = 0;
    }

    /**
     * The next block is looked for at a place in a segment.
     *
     * @return false if that segment is not there, or has no intact header; it begins with the first one that is there
     *         then.
     */
    boolean seek(final long number, final long offset)
    {
        lastSequence = 0;
        if (!open(number))
        {
            close();
            return false;
        }
        next = offset;
        return true;
    }

    private boolean open(final long number)
    {
        final Path path = SegmentFiles.segment(directory, number);
        FileChannel opened = null;
        try
        {
            opened = FileChannel.open(path, StandardOpenOption.READ);
            final SegmentHeader header = SegmentHeader.read(opened, path);
            if (header == null || header.number() != number)
            {
                damage.onDamage(path, 0, opened.size(), false);
                opened.close();
                return false;
            }
            if (recordingId != 0 && header.recordingId() != recordingId)
            {
                throw new RecordingException(path + " belongs to another recording than the files beside it: " +
                    "move it out of " + directory);
            }
            close();
            recordingId = header.recordingId();
            channel = opened;
            file = path;
            segment = header;
            next = SegmentHeader.LENGTH;
            tail = 0;
            followed = false;
            windowLength = 0;
            return true;
        }
        catch (final NoSuchFileException gone)
        {
            return false;
        }
        catch (final IOException e)
        {
            closeQuietly(opened);
            throw RecordingException.of("cannot read " + path, e);
        }
        catch (final RecordingException e)
        {
            closeQuietly(opened);
            throw e;
        }
    }

    /**
     * Moves to the next intact block.
     *
     * @return false if there is none yet; it may be asked again.
     */
    boolean next()
    {
        try
        {
            while (true)
            {
                if (channel == null && !openAfter(0))
                {
                    return false;
                }
                final Look look = look();
                if (look == Look.BLOCK)
                {
                    return true;
                }
                if (look == Look.END && !goToNextSegment())
                {
                    return false;
                }
            }
        }
        catch (final IOException e)
        {
            throw RecordingException.of("cannot read " + file, e);
        }
    }

    private boolean goToNextSegment()
    {
        if (!followed)
        {
            if (!Files.exists(SegmentFiles.segment(directory, segment.number() + 1)) &&
                SegmentFiles.numbers(directory).stream().noneMatch(number -> number > segment.number()))
            {
                return false;
            }
            // What was appended between the look at its end and now is found by one more look.
            followed = true;
            return true;
        }
        if (tail > 0)
        {
            damage.onDamage(file, next, tail, true);
            tail = 0;
        }
        return openAfter(segment.number());
    }

    private boolean openAfter(final long number)
    {
        for (final long later : SegmentFiles.numbers(directory))
        {
            if (later > number && open(later))
            {
                return true;
            }
        }
        return false;
    }

    private Look look() throws IOException
    {
        final long size = channel.size();
        tail = size - next;
        cutShort = true;
        if (tail < Block.HEADER_LENGTH)
        {
            tail = Math.max(0, tail);
            return Look.END;
        }
        // A second time from the file: what a recorder has just written may have been read half.
        for (int attempt = 0; attempt < 2; attempt++)
        {
            if (attempt > 0)
            {
                windowLength = 0;
            }
            if (!ensure(next, Block.HEADER_LENGTH))
            {
                return Look.END;
            }
            final int at = (int) (next - windowStart);
            if (!Block.isHeader(buffer, window, at, checksum))
            {
                continue;
            }
            final int length = Block.length(buffer, at);
            if (next + Block.HEADER_LENGTH + length > size)
            {
                // The recorder is just writing it, or died while it did: then another may put something else there.
                windowLength = 0;
                return Look.END;
            }
            if (!withPayload || (ensure(next, Block.HEADER_LENGTH + length) && isWhole(length)))
            {
                return accept(length);
            }
        }
        cutShort = false;
        return skipDamage(size);
    }

    /** Whether the block that is expected is in the window as its header said before the payload was read. */
    private boolean isWhole(final int length)
    {
        final int at = (int) (next - windowStart);
        return Block.length(buffer, at) == length && Block.isHeader(buffer, window, at, checksum) &&
            Block.isPayload(buffer, window, at, checksum);
    }

    private Look accept(final int length)
    {
        final int at = (int) (next - windowStart);
        final long sequence = Block.sequence(buffer, at);
        if (sequence <= lastSequence)
        {
            // Intact and out of place: a copy of an older one.
            damage.onDamage(file, next, Block.HEADER_LENGTH + (long) length, false);
            next += Block.HEADER_LENGTH + (long) length;
            return Look.AGAIN;
        }
        lastSequence = sequence;
        current = next;
        next += Block.HEADER_LENGTH + (long) length;
        return Look.BLOCK;
    }

    /** Looks for an intact block behind what is none. */
    private Look skipDamage(final long size) throws IOException
    {
        for (long at = next + Block.ALIGNMENT; at + Block.HEADER_LENGTH <= size; at += Block.ALIGNMENT)
        {
            if (!ensure(at, Block.HEADER_LENGTH))
            {
                break;
            }
            final int index = (int) (at - windowStart);
            if (buffer.getInt(index, java.nio.ByteOrder.LITTLE_ENDIAN) == Block.MAGIC_VALUE &&
                Block.isHeader(buffer, window, index, checksum) && Block.sequence(buffer, index) > lastSequence &&
                at + Block.HEADER_LENGTH + Block.length(buffer, index) <= size && isIntactAt(at))
            {
                damage.onDamage(file, next, at - next, false);
                next = at;
                return Look.AGAIN;
            }
        }
        return Look.END;
    }

    private boolean isIntactAt(final long at) throws IOException
    {
        final int length = Block.length(buffer, (int) (at - windowStart));
        return ensure(at, Block.HEADER_LENGTH + length) &&
            Block.isPayload(buffer, window, (int) (at - windowStart), checksum);
    }

    /** Has bytes [offset, offset + length) of the file in the window; false if the file ends before. */
    private boolean ensure(final long offset, final int length) throws IOException
    {
        if (offset >= windowStart && offset + length <= windowStart + windowLength)
        {
            return true;
        }
        if (length > window.capacity())
        {
            useWindow(org.agrona.BitUtil.findNextPositivePowerOfTwo(length));
        }
        windowStart = offset;
        windowLength = 0;
        window.clear();
        while (window.hasRemaining() && windowLength < length)
        {
            final int read = channel.read(window, offset + windowLength);
            if (read < 0)
            {
                return false;
            }
            windowLength += read;
        }
        window.clear();
        return true;
    }

    /** What the block at hand stands in, at {@link #at()}; valid until the next move. */
    UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Of the block's header. */
    int at()
    {
        return (int) (current - windowStart);
    }

    /** Of the block at hand in its file. */
    long offset()
    {
        return current;
    }

    /** The file that it is in. */
    Path file()
    {
        return file;
    }

    /** Behind the last intact block in the file. */
    long end()
    {
        return next;
    }

    /** Bytes behind it that are no block. */
    long tail()
    {
        return tail;
    }

    /** Whether they are the beginning of a block that is whole so far, as a recorder leaves it that is killed. */
    boolean isCutShort()
    {
        return cutShort;
    }

    /** The segment it is in; null before the first. */
    SegmentHeader segment()
    {
        return segment;
    }

    long lastSequence()
    {
        return lastSequence;
    }

    @Override
    public void close()
    {
        closeQuietly(channel);
        channel = null;
    }

    private static void closeQuietly(final FileChannel channel)
    {
        if (channel != null)
        {
            try
            {
                channel.close();
            }
            catch (final IOException e)
            {
                // It was read only.
                return;
            }
        }
    }
}
