package io.gannet.recording;

import io.gannet.os.SharedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends blocks to the files of a recording, of which it holds the lock. When it is made it continues what is there:
 * what a killed recorder left unfinished behind the last intact block is cut off. A file gets its name when its header
 * and first block are written. For one thread.
 */
final class SegmentWriter implements AutoCloseable
{
    private static final int MODE = 0660;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RecorderSettings settings;
    private final RecorderListener listener;
    private final BooleanSupplier stopping;
    private final Path directory;
    private final SharedFile lock;
    private final CRC32C checksum = new CRC32C();
    private final StreamTable streams = new StreamTable();
    private SegmentIndex index = new SegmentIndex();
    private SegmentHeader header;
    private FileChannel channel;
    private long length;
    private long sequence;
    private long total;
    private long lastTime;
    /** Bytes of what is being written. */
    private int written;
    private boolean damagedAtEnd;

    /**
     * Takes the recording over.
     *
     * @param stopping asked while the disk is full.
     */
    SegmentWriter(final RecorderSettings settings, final RecorderListener listener, final BooleanSupplier stopping)
    {
        this.settings = settings;
        this.listener = listener;
        this.stopping = stopping;
        directory = settings.directory();
        try
        {
            Files.createDirectories(directory);
        }
        catch (final IOException e)
        {
            throw RecordingException.of("cannot make the recording's directory " + directory, e);
        }
        lock = SharedFile.openOrCreate(SegmentFiles.lock(directory), MODE);
        try
        {
            if (!lock.tryLock())
            {
                throw new RecordingException("another recorder is at work in " + directory +
                    ": stop it, or choose another directory");
            }
            Files.deleteIfExists(SegmentFiles.temporary(directory));
            takeOver();
        }
        catch (final IOException e)
        {
            close();
            throw RecordingException.of("cannot go on with the recording in " + directory, e);
        }
        catch (final RuntimeException e)
        {
            close();
            throw e;
        }
    }

    private void takeOver() throws IOException
    {
        final List<Long> numbers = SegmentFiles.numbers(directory);
        for (final long number : numbers)
        {
            total += Files.size(SegmentFiles.segment(directory, number));
        }
        for (final long number : numbers.reversed())
        {
            if (Recording.header(directory, number) != null)
            {
                continueFrom(number);
                break;
            }
            // Whose blocks, if there are any, have numbers of their own.
            damagedAtEnd = true;
            sequence += Files.size(SegmentFiles.segment(directory, number)) / Block.HEADER_LENGTH;
        }
        if (header == null || damagedAtEnd)
        {
            begin(numbers.isEmpty() ? 1 : numbers.getLast() + 1);
        }
    }

    private void continueFrom(final long number) throws IOException
    {
        boolean known = false;
        try (BlockCursor cursor = new BlockCursor(directory, true, this::onDamage))
        {
            cursor.seek(number, SegmentHeader.LENGTH);
            header = cursor.segment();
            checkSame();
            sequence += header.firstSequence() - 1;
            final long skipped = sequence - header.firstSequence() + 1;
            while (cursor.segment().number() == number && cursor.next() && cursor.segment().number() == number)
            {
                known |= Block.type(cursor.buffer(), cursor.at()) == Block.STATE;
                streams.apply(cursor.buffer(), cursor.at());
                lastTime = Math.max(lastTime, Block.time(cursor.buffer(), cursor.at()));
                index.add(cursor.buffer(), cursor.at(), cursor.offset());
                sequence = cursor.lastSequence() + skipped;
                length = cursor.end();
            }
        }
        if (!known)
        {
            readAll();
        }
        if (damagedAtEnd)
        {
            return;
        }
        length = Math.max(length, SegmentHeader.LENGTH);
        final Path file = SegmentFiles.segment(directory, number);
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        final long torn = channel.size() - length;
        if (torn > 0)
        {
            listener.onDamage(file, length, torn);
            channel.truncate(length);
            channel.force(true);
            total -= torn;
        }
        Files.deleteIfExists(SegmentFiles.index(directory, number));
    }

    /** The block is damaged that says what came before the last segment. */
    private void readAll()
    {
        try (BlockCursor cursor = new BlockCursor(directory, true, (file, offset, count, tail) -> { }))
        {
            while (cursor.next())
            {
                streams.apply(cursor.buffer(), cursor.at());
                lastTime = Math.max(lastTime, Block.time(cursor.buffer(), cursor.at()));
            }
        }
    }

    private void checkSame()
    {
        if (header.streamId() != settings.streamId() || !header.channel().equals(settings.channel()))
        {
            throw new RecordingException(directory + " holds a recording of " + header.channel() + " stream " +
                header.streamId() + ", not of " + settings.channel() + " stream " + settings.streamId() +
                ": choose another directory");
        }
    }

    private void onDamage(final Path file, final long offset, final long count, final boolean tail)
    {
        listener.onDamage(file, offset, count);
    }

    /** What the recording had when it was taken over; not to be changed. */
    StreamTable streams()
    {
        return streams;
    }

    /** Latest time of what was recorded, ns since 1970; 0 if there is nothing. */
    long lastTime()
    {
        return lastTime;
    }

    /** Bytes of all files. */
    long total()
    {
        return total;
    }

    /**
     * Appends a chunk's blocks; those of an earlier chunk are not touched if it fails.
     *
     * @throws RecordingException if the disk is full or broken. The files end with the last block that is whole, as
     *                            somebody may have read it already.
     */
    void append(final Chunk chunk)
    {
        if (length > SegmentHeader.LENGTH && length + chunk.length() > settings.segmentBytes())
        {
            roll();
        }
        final UnsafeBuffer buffer = chunk.buffer();
        long number = sequence;
        for (int at = 0; at < chunk.length(); at += Block.HEADER_LENGTH + Block.length(buffer, at))
        {
            number++;
            Block.seal(buffer, chunk.bytes(), at, number, checksum);
        }
        try
        {
            write(channel, chunk.bytes(), chunk.length(), length);
        }
        catch (final RecordingException end)
        {
            cutOff(buffer);
            throw end;
        }
        for (int at = 0; at < chunk.length(); at += Block.HEADER_LENGTH + Block.length(buffer, at))
        {
            index.add(buffer, at, length + at);
            streams.apply(buffer, at);
            lastTime = Math.max(lastTime, Block.time(buffer, at));
        }
        sequence = number;
        length += chunk.length();
        total += chunk.length();
    }

    private void write(final FileChannel target, final ByteBuffer bytes, final int count, final long start)
    {
        boolean waiting = false;
        for (written = 0; written < count;)
        {
            try
            {
                written += target.write(bytes.clear().position(written).limit(count), start + written);
                if (waiting)
                {
                    waiting = false;
                    listener.onDiskFree();
                }
            }
            catch (final IOException e)
            {
                waitOrStop("cannot write to ", e, count - written, waiting);
                waiting = true;
            }
        }
        bytes.clear();
    }

    /** Returns when it is worth to try again. */
    private void waitOrStop(final String what, final IOException problem, final int missing, final boolean waiting)
    {
        final boolean full = isFull(problem, missing);
        if (!full || settings.full() == FullPolicy.STOP || stopping.getAsBoolean())
        {
            throw full ? new RecordingException("the disk of " + directory + " is full (" + problem.getMessage() +
                "): the recording ends here. Make room and start it again; or record with --full wait, or --keep",
                problem) : RecordingException.of(what + directory, problem);
        }
        if (!waiting)
        {
            listener.onDiskFull(String.valueOf(problem.getMessage()));
        }
        final long until = System.nanoTime() + RETRY_NANOS;
        while (!stopping.getAsBoolean() && until - System.nanoTime() > 0)
        {
            LockSupport.parkNanos(Math.min(TimeUnit.MILLISECONDS.toNanos(20), Math.max(1, until - System.nanoTime())));
        }
    }

    /** Leaves the whole blocks of what was written of a chunk. */
    private void cutOff(final UnsafeBuffer chunk)
    {
        int end = 0;
        while (end + Block.HEADER_LENGTH <= written && end + Block.HEADER_LENGTH + Block.length(chunk, end) <= written)
        {
            end += Block.HEADER_LENGTH + Block.length(chunk, end);
        }
        try
        {
            channel.truncate(length + end);
        }
        catch (final IOException e)
        {
            // The half-written block is found and cut off by whoever goes on.
            return;
        }
    }

    private boolean isFull(final IOException problem, final int missing)
    {
        final String text = String.valueOf(problem.getMessage());
        try
        {
            return text.contains("No space left") || text.contains("quota") ||
                Files.getFileStore(directory).getUsableSpace() < missing;
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    private void roll()
    {
        if (settings.sync() != SyncPolicy.NEVER)
        {
            force();
        }
        finish();
        begin(header.number() + 1);
        deleteOldest();
    }

    /** Saves the index of a segment to which nothing will be added, and closes it. */
    private void finish()
    {
        try
        {
            index.save(directory, header, length);
        }
        catch (final IOException e)
        {
            // A reader makes it from the segment. What was begun must not take the room.
            deleteQuietly(SegmentFiles.temporary(directory));
        }
        closeChannel();
    }

    private void begin(final long number)
    {
        final long id = header == null ? ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE) : header.recordingId();
        final long now = Math.max(lastTime, settings.clock().nanoTime());
        final SegmentHeader next =
            new SegmentHeader(id, number, sequence + 1, settings.streamId(), settings.channel(), now);
        streams.forgetEnded();
        final ByteBuffer state = ByteBuffer.allocateDirect(SegmentHeader.LENGTH + streams.stateLength());
        final UnsafeBuffer buffer = new UnsafeBuffer(state);
        streams.save(buffer, now);
        Block.payloadChecksum(buffer, 0, Block.checksum(
            state, Block.HEADER_LENGTH, streams.stateLength() - Block.HEADER_LENGTH, checksum));
        Block.seal(buffer, state, 0, sequence + 1, checksum);
        buffer.putBytes(SegmentHeader.LENGTH, buffer, 0, streams.stateLength());
        buffer.putBytes(0, next.bytes(), SegmentHeader.LENGTH);
        channel = make(SegmentFiles.segment(directory, number), state);
        header = next;
        sequence++;
        length = state.capacity();
        total += length;
        index = new SegmentIndex();
    }

    /** Makes a file, which a full disk may have no room for either. */
    private FileChannel make(final Path file, final ByteBuffer content)
    {
        boolean waiting = false;
        while (true)
        {
            try
            {
                final FileChannel opened = makeOnce(file, content);
                if (waiting)
                {
                    listener.onDiskFree();
                }
                return opened;
            }
            catch (final IOException e)
            {
                waitOrStop("cannot make a file in ", e, content.capacity(), waiting);
                waiting = true;
            }
        }
    }

    private FileChannel makeOnce(final Path file, final ByteBuffer content) throws IOException
    {
        final Path temporary = SegmentFiles.temporary(directory);
        final FileChannel opened = FileChannel.open(temporary, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean made = false;
        try
        {
            write(opened, content, content.capacity(), 0);
            if (settings.sync() != SyncPolicy.NEVER)
            {
                opened.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            if (settings.sync() != SyncPolicy.NEVER)
            {
                forceDirectory();
            }
            made = true;
            return opened;
        }
        finally
        {
            if (!made)
            {
                closeQuietly(opened);
                deleteQuietly(temporary);
            }
        }
    }

    private void forceDirectory() throws IOException
    {
        try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ))
        {
            entry.force(true);
        }
    }

    private void deleteOldest()
    {
        for (final long number : SegmentFiles.numbers(directory))
        {
            // Room for what the new segment takes.
            if (total <= settings.keepBytes() - settings.segmentBytes() || number >= header.number())
            {
                return;
            }
            final Path file = SegmentFiles.segment(directory, number);
            try
            {
                total -= Files.size(file);
                Files.delete(file);
            }
            catch (final IOException e)
            {
                // Somebody else deleted it.
                continue;
            }
            deleteQuietly(SegmentFiles.index(directory, number));
        }
    }

    /** Forces to the disk what was appended. */
    void force()
    {
        try
        {
            channel.force(false);
        }
        catch (final IOException e)
        {
            // The kernel may have dropped what it could not write: nothing behind the last force is sure.
            throw new RecordingException("cannot force the recording in " + directory + " to its disk: " + e, e);
        }
    }

    private static void deleteQuietly(final Path file)
    {
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException e)
        {
            // It only takes room.
            return;
        }
    }

    private static void closeQuietly(final FileChannel file)
    {
        if (file != null)
        {
            try
            {
                file.close();
            }
            catch (final IOException e)
            {
                // What was written was written.
                return;
            }
        }
    }

    private void closeChannel()
    {
        closeQuietly(channel);
        channel = null;
    }

    /** Closes the files and gives the lock back. */
    @Override
    public void close()
    {
        closeChannel();
        lock.close();
    }
}
