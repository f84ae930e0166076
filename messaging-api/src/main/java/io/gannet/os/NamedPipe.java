package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A FIFO by which other processes wake one that sleeps in poll(2). What is written means nothing; a full pipe is as
 * good as one more byte. Thread-safe.
 */
public final class NamedPipe implements AutoCloseable
{
    private static final int AT_FDCWD = -100;
    private static final int S_IFIFO = 0x1000;
    private static final int DRAIN_LENGTH = 4096;
    private static final MemorySegment BYTES = Arena.global().allocate(DRAIN_LENGTH);

    private final Path path;
    private SharedFile file;
    private boolean closed;

    /**
     * @param path where it is or will be; opened when it is needed first.
     */
    public NamedPipe(final Path path)
    {
        this.path = path;
    }

    /**
     * Makes it if it isn't there, and opens it.
     *
     * @param mode access bits such as 0600, before the process's umask.
     * @throws OsException if it can't be made or opened.
     */
    public synchronized void make(final int mode)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long result = Syscall.call(SyscallNumber.MKNODAT, AT_FDCWD,
                arena.allocateFrom(path.toString()).address(), S_IFIFO | mode, 0, 0, 0);
            if (result != -Errno.EEXIST)
            {
                OsException.check(result, "make the pipe " + path);
            }
        }
        file = SharedFile.openPipe(path);
    }

    /** File descriptor for poll(2), readable after a {@link #signal()}; {@link #make} comes first. */
    public synchronized int descriptor()
    {
        return file.descriptor();
    }

    /** Wakes whoever polls it. Where there is no pipe nobody does. */
    public synchronized void signal()
    {
        if (closed)
        {
            return;
        }
        if (file == null)
        {
            try
            {
                file = SharedFile.openPipe(path);
            }
            catch (final OsException missing)
            {
                return;
            }
        }
        Syscall.plain(SyscallNumber.WRITE, file.descriptor(), BYTES.address(), 1, 0, 0, 0);
    }

    /** Takes out what is in it. */
    public synchronized void drain()
    {
        if (!closed && file != null)
        {
            // One read of as much as half a pipe: what is left wakes once more.
            Syscall.plain(SyscallNumber.READ, file.descriptor(), BYTES.address(), DRAIN_LENGTH, 0, 0, 0);
        }
    }

    @Override
    public synchronized void close()
    {
        closed = true;
        if (file != null)
        {
            file.close();
        }
    }
}
