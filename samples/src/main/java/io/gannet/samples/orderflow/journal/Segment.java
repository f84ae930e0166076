package io.gannet.samples.orderflow.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One file of the journal, mapped. Every block of it is allocated before it is mapped: a full disk is an error when the
 * file is made, never a fault of memory later.
 */
final class Segment implements AutoCloseable
{
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final UnsafeBuffer buffer;
    private Path file;
    private boolean unnamed = true;

    /**
     * Makes a file of zeros and maps it.
     *
     * @param zeros as many as are written at once.
     */
    Segment(final Path file, final int size, final ByteBuffer zeros) throws IOException
    {
        this.file = file;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            for (long at = 0; at < size;)
            {
                zeros.clear().limit((int) Math.min(zeros.capacity(), size - at));
                at += channel.write(zeros, at);
            }
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            buffer = new UnsafeBuffer(memory.address(), size);
        }
        catch (final IOException failure)
        {
            arena.close();
            Files.deleteIfExists(file);
            throw new IOException("the journal needs " + size + " bytes for " + file + ": " + failure.getMessage() +
                ". Free space, or choose a smaller segment size", failure);
        }
    }

    /** Makes it a file of the journal, whatever its name. */
    void begin(final long firstSequence, final long configuration)
    {
        buffer.putLong(JournalLayout.CONFIGURATION, configuration, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(JournalLayout.FIRST_SEQUENCE, firstSequence, ByteOrder.LITTLE_ENDIAN);
        // Behind the numbers, for whoever finds the file after this process has died.
        buffer.putLongRelease(0, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? JournalLayout.MAGIC :
            Long.reverseBytes(JournalLayout.MAGIC));
    }

    long firstSequence()
    {
        return buffer.getLong(JournalLayout.FIRST_SEQUENCE, ByteOrder.LITTLE_ENDIAN);
    }

    boolean isUnnamed()
    {
        return unnamed;
    }

    void rename(final Path name) throws IOException
    {
        file = Files.move(file, name);
        unnamed = false;
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    void force()
    {
        memory.force();
    }

    Path file()
    {
        return file;
    }

    @Override
    public void close()
    {
        arena.close();
    }
}
