package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Tells when a directory last got or lost an entry, statx(2), and makes no garbage: a reason to read the directory, or
 * not to. For one thread at a time.
 */
public final class DirectoryTime
{
    private static final int AT_FDCWD = -100;
    private static final int STATX_MTIME = 0x40;
    private static final int STATX_LENGTH = 256;
    private static final int SECONDS_OFFSET = 112;
    private static final int NANOS_OFFSET = 120;
    private static final long NANOS = 1_000_000_000L;

    private final Path path;
    private final MemorySegment name;
    private final MemorySegment result;

    /** Of the directory that has this path whenever it is asked for. */
    public DirectoryTime(final Path path)
    {
        this.path = path;
        final Arena arena = Arena.ofAuto();
        name = arena.allocateFrom(path.toString());
        result = arena.allocate(STATX_LENGTH, 8);
    }

    /**
     * Nanoseconds since 1970, in steps of some milliseconds: two changes within a step have the same time.
     *
     * @throws OsException if there is no such directory.
     */
    public long modified()
    {
        if (Syscall.plain(SyscallNumber.STATX, AT_FDCWD, name.address(), 0, STATX_MTIME, result.address(), 0) < 0)
        {
            OsException.check(
                Syscall.call(SyscallNumber.STATX, AT_FDCWD, name.address(), 0, STATX_MTIME, result.address(), 0),
                "look at " + path);
        }
        return result.get(ValueLayout.JAVA_LONG, SECONDS_OFFSET) * NANOS +
            result.get(ValueLayout.JAVA_INT, NANOS_OFFSET);
    }
}
