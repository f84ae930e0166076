package io.gannet.samples.orderflow.gateway;

import io.gannet.samples.orderflow.link.MessageLog;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a gateway must know after kill -9, in a mapped file: numbers of each session, commands sent to the engine,
 * reports sent to clients. It survives the process, not the machine: put it on tmpfs.
 * <pre>
 *  0       8         16       24          32          64
 *  +-------+---------+--------+-----------+-----------+---- sessions ----+-- commands --+-- reports --+
 *  | magic | epoch   | sizes  | last of   | zeros     | 32 bytes each    | MessageLog   | MessageLog  |
 *  |       |         |        | engine    |           |                  |              |             |
 *  +-------+---------+--------+-----------+-----------+------------------+--------------+-------------+
 *
 *  a session:  int64 next in | int64 next out | int32 flags: 1 active, 2 cancel on disconnect | 12 zeros
 * </pre>
 */
final class SessionStore implements AutoCloseable
{
    static final int ACTIVE = 1;
    static final int CANCEL_ON_DISCONNECT = 2;

    private static final long MAGIC_VALUE = 0x3130_4552_4F54_5347L;
    private static final int EPOCH = 8;
    private static final int SIZES = 16;
    private static final int LAST_OF_ENGINE = 24;
    private static final int HEADER = 64;
    private static final int SESSION = 32;
    private static final int NEXT_IN = 0;
    private static final int NEXT_OUT = 8;
    private static final int FLAGS = 16;
    private static final int ALIGNMENT = 4096;
    private static final int CHUNK = 1 << 20;

    private final FileChannel channel;
    private final Arena arena = Arena.ofShared();
    private final UnsafeBuffer table;
    private final MessageLog commands;
    private final MessageLog reports;
    private final boolean fresh;

    SessionStore(final Path file, final int maxSessions, final int logSize, final long newEpoch) throws IOException
    {
        final long tableSize = (HEADER + (long) (maxSessions + 1) * SESSION + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        final long area = MessageLog.HEADER_LENGTH + (long) logSize;
        final long size = tableSize + 2 * area;
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            lock(file);
            fill(file, size);
            final MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            final long address = memory.address();
            table = new UnsafeBuffer(address, (int) tableSize);
            fresh = prepare(file, (long) maxSessions << 32 | logSize, newEpoch);
            commands = MessageLog.over(new UnsafeBuffer(address + tableSize, (int) area));
            reports = MessageLog.over(new UnsafeBuffer(address + tableSize + area, (int) area));
        }
        catch (final IOException | RuntimeException failure)
        {
            arena.close();
            channel.close();
            throw failure;
        }
    }

    private void lock(final Path file) throws IOException
    {
        FileLock lock;
        try
        {
            lock = channel.tryLock();
        }
        catch (final OverlappingFileLockException sameProcess)
        {
            lock = null;
        }
        if (lock == null)
        {
            throw new IOException("another gateway uses " + file + "; end it, or choose another --store");
        }
    }

    /** Every page is there before the file is mapped: a lack of space is an error now. */
    private void fill(final Path file, final long size) throws IOException
    {
        final ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);
        try
        {
            for (long at = channel.size(); at < size;)
            {
                zeros.clear().limit((int) Math.min(CHUNK, size - at));
                at += channel.write(zeros, at);
            }
        }
        catch (final IOException failure)
        {
            throw new IOException("the gateway's store needs " + size + " bytes for " + file + ": " +
                failure.getMessage() + ". Free space, or choose a smaller --log-size", failure);
        }
    }

    private boolean prepare(final Path file, final long sizes, final long newEpoch) throws IOException
    {
        if (table.getLong(0, ByteOrder.LITTLE_ENDIAN) == MAGIC_VALUE)
        {
            if (table.getLong(SIZES) != sizes)
            {
                throw new IOException(file + " was made for " + (table.getLong(SIZES) >>> 32) +
                    " sessions and logs of " + (int) table.getLong(SIZES) + " bytes; start with these, or " +
                    "remove it to begin anew");
            }
            return false;
        }
        table.putLong(EPOCH, newEpoch);
        table.putLong(SIZES, sizes);
        table.putLong(LAST_OF_ENGINE, 0);
        for (int at = HEADER; at + SESSION <= table.capacity(); at += SESSION)
        {
            table.putLong(at + NEXT_IN, 1);
            table.putLong(at + NEXT_OUT, 1);
            table.putInt(at + FLAGS, 0);
        }
        table.putLongRelease(0, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? MAGIC_VALUE :
            Long.reverseBytes(MAGIC_VALUE));
        return true;
    }

    boolean isFresh()
    {
        return fresh;
    }

    long epoch()
    {
        return table.getLong(EPOCH);
    }

    long lastOfEngine()
    {
        return table.getLong(LAST_OF_ENGINE);
    }

    void lastOfEngine(final long number)
    {
        table.putLongRelease(LAST_OF_ENGINE, number);
    }

    private static int at(final int session)
    {
        return HEADER + session * SESSION;
    }

    long nextIn(final int session)
    {
        return table.getLong(at(session) + NEXT_IN);
    }

    void nextIn(final int session, final long number)
    {
        table.putLongRelease(at(session) + NEXT_IN, number);
    }

    long nextOut(final int session)
    {
        return table.getLong(at(session) + NEXT_OUT);
    }

    void nextOut(final int session, final long number)
    {
        table.putLongRelease(at(session) + NEXT_OUT, number);
    }

    int flags(final int session)
    {
        return table.getInt(at(session) + FLAGS);
    }

    void flags(final int session, final int value)
    {
        table.putIntRelease(at(session) + FLAGS, value);
    }

    MessageLog commands()
    {
        return commands;
    }

    MessageLog reports()
    {
        return reports;
    }

    @Override
    public void close() throws IOException
    {
        arena.close();
        channel.close();
    }
}
