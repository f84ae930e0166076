package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Open-file-description locks over whole files, fcntl(2). Unlike the locks that {@code FileChannel} takes they belong
 * to the open file and not to the process, so that closing another descriptor of the same file doesn't drop them, and
 * two owners in one process exclude each other.
 * <pre>
 *  0      2        8       16       24    28   32
 *  +------+--------+-------+--------+-----+----+
 *  | type | whence | start | length | pid | 0  |   struct flock
 *  +------+--------+-------+--------+-----+----+
 * </pre>
 */
final class FileLock
{
    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLK = 37;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;
    private static final int LENGTH = 32;

    private FileLock()
    {
    }

    static boolean tryLock(final int descriptor, final String name)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long result = fcntl(descriptor, F_OFD_SETLK, flock(arena, F_WRLCK));
            if (result == -Errno.EAGAIN || result == -Errno.EACCES)
            {
                return false;
            }
            OsException.check(result, "lock " + name);
            return true;
        }
    }

    static boolean isLockedByOther(final int descriptor, final String name)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment lock = flock(arena, F_WRLCK);
            OsException.check(fcntl(descriptor, F_OFD_GETLK, lock), "ask for the lock of " + name);
            return lock.get(ValueLayout.JAVA_SHORT, 0) != F_UNLCK;
        }
    }

    static void unlock(final int descriptor, final String name)
    {
        try (Arena arena = Arena.ofConfined())
        {
            OsException.check(fcntl(descriptor, F_OFD_SETLK, flock(arena, F_UNLCK)), "unlock " + name);
        }
    }

    private static long fcntl(final int descriptor, final int command, final MemorySegment lock)
    {
        return Syscall.restarting(SyscallNumber.FCNTL, descriptor, command, lock.address());
    }

    private static MemorySegment flock(final Arena arena, final short type)
    {
        final MemorySegment lock = arena.allocate(LENGTH, 8);
        lock.set(ValueLayout.JAVA_SHORT, 0, type);
        return lock;
    }
}
