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
 *  0       8         16       24          32        36        64
 *  +-------+---------+--------+-----------+---------+---------+---- sessions ----+-- commands --+-- reports --+
 *  | magic | epoch   | sizes  | last of   | gateway | zeros   | 32 bytes each    | MessageLog   | MessageLog  |
 *  |       |         |        | engine    |         |         |                  |              |             |
 *  +-------+---------+--------+-----------+---------+---------+------------------+--------------+-------------+
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
    private static final int GATEWAY = 32;
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

    SessionStore(
        final Path file, final int gateway, final int maxSessions, final int logSize, final long newEpoch)
        throws IOException
    {
        final long tableSize = (HEADER + (long) (maxSessions + 1) * SESSION + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        final long area = MessageLog.HEADER_LENGTH + (long) logSize;
        final long size = tableSize + 2 * area;
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            lock(file);
            final boolean fresh = isFresh(file, gateway, (long) maxSessions << 32 | logSize, size);
            fill(file, size);
            final MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            final long address = memory.address();
            table = new UnsafeBuffer(address, (int) tableSize);
            if (fresh)
            {
                prepare(gateway, (long) maxSessions << 32 | logSize, newEpoch);
            }
            commands = log(file, address + tableSize, (int) area);
            reports = log(file, address + tableSize + area, (int) area);
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

    /** Whether the store is to be made; nothing was written to the file yet if it is another's, or damaged. */
    private boolean isFresh(final Path file, final int gateway, final long sizes, final long size) throws IOException
    {
        final ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.nativeOrder());
        while (header.hasRemaining() && channel.read(header, header.position()) >= 0)
        {
            Thread.onSpinWait();
        }
        final long magic = header.order(ByteOrder.LITTLE_ENDIAN).getLong(0);
        header.order(ByteOrder.nativeOrder());
        if (magic == 0)
        {
            // Not begun, or filled by a start that was killed before it had a header.
            return true;
        }
        if (magic != MAGIC_VALUE)
        {
            throw new IOException(file + " is no gateway's store of this version; choose another --store");
        }
        if (header.getInt(GATEWAY) != gateway)
        {
            throw new IOException(file + " is the store of gateway " + header.getInt(GATEWAY) + ", not of " + gateway +
                "; start with that --id, or choose another --store");
        }
        if (header.getLong(SIZES) != sizes)
        {
            throw new IOException(file + " was made for " + (header.getLong(SIZES) >>> 32) + " sessions and logs of " +
                ((int) header.getLong(SIZES) >> 20) + " MiB; start with these, or remove it to begin anew");
        }
        if (channel.size() != size)
        {
            throw new IOException(file + " is damaged: it has " + channel.size() + " bytes, not " + size +
                ". Remove it to begin anew");
        }
        return false;
    }

    private static MessageLog log(final Path file, final long address, final int size) throws IOException
    {
        try
        {
            return MessageLog.over(new UnsafeBuffer(address, size));
        }
        catch (final IllegalStateException damage)
        {
            throw new IOException(file + ": " + damage.getMessage() + ". Remove it to begin anew", damage);
        }
    }

    private void prepare(final int gateway, final long sizes, final long newEpoch)
    {
        table.putLong(EPOCH, newEpoch);
        table.putInt(GATEWAY, gateway);
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
