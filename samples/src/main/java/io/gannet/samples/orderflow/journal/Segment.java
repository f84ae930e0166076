package io.gannet.samples.orderflow.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
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
    private static final int CHUNK = 1 << 20;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final UnsafeBuffer buffer;
    private Path file;

    /** Makes a file of zeros and maps it. */
    Segment(final Path file, final int size) throws IOException
    {
        this.file = file;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(CHUNK, size));
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

    void rename(final Path name) throws IOException
    {
        file = Files.move(file, name);
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
