package io.gannet.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An open file that is to be mapped or locked. Not thread-safe. Locks are released when it is closed or the process
 * ends.
 */
public final class SharedFile implements AutoCloseable
{
    private static final int AT_FDCWD = -100;
    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_NOFOLLOW = isArm() ? 0x8000 : 0x20000;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_TYPE = 1;
    private static final int STATX_LENGTH = 256;
    private static final int STATX_MODE = 28;
    private static final int S_IFMT = 0xF000;
    private static final int S_IFIFO = 0x1000;
    private static final int S_IFDIR = 0x4000;
    private static final int S_IFREG = 0x8000;
    private static final int MFD_CLOEXEC = 1;
    private static final int SEEK_END = 2;
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;

    private final String name;
    private int descriptor;

    private SharedFile(final String name, final int descriptor)
    {
        this.name = name;
        this.descriptor = descriptor;
    }

    private static boolean isArm()
    {
        return "aarch64".equals(System.getProperty("os.arch"));
    }

    /**
     * Creates a file that must not exist, and opens it to read and write.
     *
     * @param mode access bits such as 0600, before the process's umask.
     * @throws OsException if it exists or can't be made.
     */
    public static SharedFile create(final Path path, final int mode)
    {
        return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode, "create ");
    }

    /** Opens a file to read and write, creating it if missing. */
    public static SharedFile openOrCreate(final Path path, final int mode)
    {
        return open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode, "open or create ");
    }

    /** Opens an existing file to read and write. */
    public static SharedFile open(final Path path)
    {
        return open(path, O_RDWR | O_NOFOLLOW, 0, "open ");
    }

    /** Opens an existing file to read. */
    public static SharedFile openToRead(final Path path)
    {
        return open(path, O_NOFOLLOW, 0, "open to read ");
    }

    /** Opens an existing named pipe to read and write, without blocking. */
    public static SharedFile openPipe(final Path path)
    {
        return open(path, O_RDWR | O_NOFOLLOW, 0, "open the pipe ", S_IFIFO, "no named pipe");
    }

    /** Makes an anonymous file in memory. */
    public static SharedFile anonymous(final String name)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long cName = arena.allocateFrom(name).address();
            final int descriptor = (int) OsException.check(
                Syscall.call(SyscallNumber.MEMFD_CREATE, cName, MFD_CLOEXEC, 0), "make memory file " + name);
            return new SharedFile("memory file " + name, descriptor);
        }
    }

    private static SharedFile open(final Path path, final int flags, final int mode, final String attempt)
    {
        return open(path, flags, mode, attempt, S_IFREG, "no file");
    }

    /**
     * @param type  of {@code stat(2)} that it must have; a directory passes for a file, and is found by its length.
     * @param other what it is if it has not.
     */
    private static SharedFile open(
        final Path path, final int flags, final int mode, final String attempt, final int type, final String other)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long cPath = arena.allocateFrom(path.toString()).address();
            long result;
            do
            {
                // Without blocking, as it may be a pipe that somebody has put there, of which nobody holds the end.
                result = Syscall.call(
                    SyscallNumber.OPENAT, AT_FDCWD, cPath, flags | O_CLOEXEC | O_NONBLOCK, mode, 0, 0);
            }
            while (result == -Errno.EINTR);
            OsException.check(result, attempt + path, remedyForOpen((int) -result));
            final SharedFile opened = new SharedFile(path.toString(), (int) result);
            final int found = opened.type(arena);
            if (found != type && (found != S_IFDIR || type != S_IFREG))
            {
                opened.close();
                throw new OsException(
                    attempt + path, 0, "It is " + other + " (type " + Integer.toOctalString(found) + "): remove it");
            }
            return opened;
        }
    }

    private int type(final Arena arena)
    {
        final MemorySegment result = arena.allocate(STATX_LENGTH, Long.BYTES);
        OsException.check(Syscall.call(SyscallNumber.STATX, descriptor, arena.allocateFrom("").address(),
            AT_EMPTY_PATH, STATX_TYPE, result.address(), 0), "look at " + name);
        return result.get(ValueLayout.JAVA_SHORT, STATX_MODE) & S_IFMT;
    }

    private static String remedyForOpen(final int errno)
    {
        return switch (errno)
        {
            case Errno.EACCES, Errno.EPERM -> "Run as the user that owns it, or give it access by group";
            case Errno.EMFILE -> "Raise the limit: ulimit -n";
            default -> "";
        };
    }

    /** The file descriptor, valid until {@link #close()}. */
    public int descriptor()
    {
        if (descriptor < 0)
        {
            throw new IllegalStateException("file is closed: " + name);
        }
        return descriptor;
    }

    /** Length in bytes. */
    public long length()
    {
        return OsException.check(
            Syscall.call(SyscallNumber.LSEEK, descriptor(), 0, SEEK_END), "get the length of " + name);
    }

    /**
     * Sets the length to at least {@code length} and takes memory for all of it, so that no access to a mapping of it
     * can fail later.
     *
     * @throws OsException with the bytes needed and available, if there isn't enough; the file is then to be removed.
     */
    public void reserve(final long length)
    {
        long result;
        do
        {
            result = Syscall.call(SyscallNumber.FALLOCATE, descriptor(), 0, 0, length, 0, 0);
        }
        while (result == -Errno.EINTR);
        if (result < 0)
        {
            final int errno = (int) -result;
            throw new OsException("reserve " + length + " bytes for " + name, errno, remedyForReserve(errno));
        }
    }

    private String remedyForReserve(final int errno)
    {
        if (errno == Errno.ENOSPC || errno == Errno.ENOMEM || errno == Errno.EDQUOT)
        {
            final FileSystem fileSystem = FileSystem.of(Path.of("/proc/self/fd/" + descriptor));
            return fileSystem.isHuge() ?
                "Raise vm.nr_hugepages (a page has " + fileSystem.pageSize() + " bytes), or use smaller rings" :
                fileSystem.availableText() +
                    "; use smaller rings, close some, or remount the file system with a larger size";
        }
        if (errno == Errno.EFBIG)
        {
            return "Raise the limit of a file's length: ulimit -f, or LimitFSIZE= in the unit";
        }
        return errno == Errno.EOPNOTSUPP ? "Use a directory on tmpfs, such as below /dev/shm" : "";
    }

    /**
     * Gives back the memory of a part, which reads as zeroes then; the length stays. Where that is not possible nothing
     * happens.
     *
     * @param offset first byte, a multiple of the page size.
     * @param length of the part, a multiple of the page size, 0 or more.
     */
    public void release(final long offset, final long length)
    {
        long result = length > 0 ? -Errno.EINTR : 0;
        while (result == -Errno.EINTR)
        {
            result = Syscall.call(
                SyscallNumber.FALLOCATE, descriptor(), PUNCH_HOLE | KEEP_SIZE, offset, length, 0, 0);
        }
    }

    /** Whether this is what the path names now. */
    public boolean isAt(final Path path)
    {
        try
        {
            return Files.isSameFile(path, Path.of("/proc/self/fd/" + descriptor()));
        }
        catch (final IOException gone)
        {
            return false;
        }
    }

    /** Sets the length, without taking memory for it. */
    public void truncate(final long length)
    {
        OsException.check(
            Syscall.restarting(SyscallNumber.FTRUNCATE, descriptor(), length, 0),
            "set the length of " + name + " to " + length);
    }

    /**
     * Takes the exclusive lock on the whole file, for as long as this object stays open. It is held against every other
     * open of the file, also one by this process, across pid name spaces, and is released by the kernel at the end of
     * the process.
     *
     * @return false if somebody else holds it.
     */
    public boolean tryLock()
    {
        return FileLock.tryLock(descriptor(), name);
    }

    /** Whether somebody else holds the lock that {@link #tryLock()} takes. */
    public boolean isLockedByOther()
    {
        return FileLock.isLockedByOther(descriptor(), name);
    }

    /** Gives back the lock. */
    public void unlock()
    {
        FileLock.unlock(descriptor(), name);
    }

    @Override
    public void close()
    {
        if (descriptor >= 0)
        {
            Syscall.call(SyscallNumber.CLOSE, descriptor, 0, 0);
            descriptor = -1;
        }
    }

    @Override
    public String toString()
    {
        return name;
    }
}
