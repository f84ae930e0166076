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
    /** One for all, under this class's monitor, so that asking again and again makes no garbage. */
    private static final MemorySegment FLOCK = Arena.global().allocate(LENGTH, 8);

    private FileLock()
    {
    }

    static synchronized boolean tryLock(final int descriptor, final String name)
    {
        final long result = fcntl(descriptor, F_OFD_SETLK, F_WRLCK);
        if (result == -Errno.EAGAIN || result == -Errno.EACCES)
        {
            return false;
        }
        check(result, "lock ", name);
        return true;
    }

    static synchronized boolean isLockedByOther(final int descriptor, final String name)
    {
        prepare(F_WRLCK);
        // F_OFD_GETLK leaves the structure as it was if it fails.
        final long result =
            Syscall.repeatable(SyscallNumber.FCNTL, descriptor, F_OFD_GETLK, FLOCK.address());
        check(result, "ask for the lock of ", name);
        return FLOCK.get(ValueLayout.JAVA_SHORT, 0) != F_UNLCK;
    }

    static synchronized void unlock(final int descriptor, final String name)
    {
        check(fcntl(descriptor, F_OFD_SETLK, F_UNLCK), "unlock ", name);
    }

    private static void check(final long result, final String attempt, final String name)
    {
        if (result < 0)
        {
            OsException.check(result, attempt + name);
        }
    }

    private static long fcntl(final int descriptor, final int command, final short type)
    {
        prepare(type);
        return Syscall.restarting(SyscallNumber.FCNTL, descriptor, command, FLOCK.address());
    }

    private static void prepare(final short type)
    {
        FLOCK.fill((byte) 0);
        FLOCK.set(ValueLayout.JAVA_SHORT, 0, type);
    }
}
