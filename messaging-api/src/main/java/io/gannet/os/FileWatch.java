package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Tells whether a path still leads to the file or directory that it led to when this was made, and whether that has
 * been cut short; statx(2), and makes no garbage. For one thread at a time.
 */
public final class FileWatch
{
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int STATX_INO = 0x100;
    private static final int STATX_SIZE = 0x200;
    private static final int STATX_LENGTH = 256;
    private static final int INODE_OFFSET = 32;
    private static final int SIZE_OFFSET = 40;
    private static final int DEVICE_OFFSET = 136;

    /** What a look finds. */
    public enum State
    {
        /** All is as it was, or the file has grown. */
        SAME,
        /** There is nothing at the path. */
        REMOVED,
        /** A directory on the way may not be searched: that says nothing of the file, which goes on being used. */
        UNREACHABLE,
        /** There is something else at the path. */
        REPLACED,
        /** The file has lost bytes: to touch them in a mapping is a fault. */
        SHORTENED
    }

    private final Path path;
    private final int flags;
    private final MemorySegment name;
    private final MemorySegment result;
    private final long inode;
    private final long device;
    private final long length;

    /**
     * Of the file that is at {@code path} now; a symbolic link to it is another one, as nobody follows it.
     *
     * @param length bytes that it must keep.
     * @throws OsException if there is nothing.
     */
    public FileWatch(final Path path, final long length)
    {
        this(path, length, AT_SYMLINK_NOFOLLOW);
    }

    /**
     * Of the directory to which {@code path} leads now, perhaps by symbolic links.
     *
     * @throws OsException if there is nothing.
     */
    public static FileWatch ofDirectory(final Path path)
    {
        return new FileWatch(path, 0, 0);
    }

    private FileWatch(final Path path, final long length, final int flags)
    {
        this.path = path;
        this.length = length;
        this.flags = flags;
        final Arena arena = Arena.ofAuto();
        name = arena.allocateFrom(path.toString());
        result = arena.allocate(STATX_LENGTH, 8);
        OsException.check(
            Syscall.call(
                SyscallNumber.STATX, AT_FDCWD, name.address(), flags, STATX_INO | STATX_SIZE, result.address(), 0),
            "look at " + path);
        inode = inodeSeen();
        device = deviceSeen();
    }

    /** Looks once. */
    public State look()
    {
        if (Syscall.plain(
            SyscallNumber.STATX, AT_FDCWD, name.address(), flags, STATX_INO | STATX_SIZE, result.address(), 0) < 0)
        {
            // Once more, to learn why, which makes garbage.
            final long why = Syscall.call(
                SyscallNumber.STATX, AT_FDCWD, name.address(), flags, STATX_INO | STATX_SIZE, result.address(), 0);
            if (why < 0)
            {
                return why == -Errno.EACCES ? State.UNREACHABLE : State.REMOVED;
            }
        }
        if (inodeSeen() != inode || deviceSeen() != device)
        {
            return State.REPLACED;
        }
        return sizeSeen() < length ? State.SHORTENED : State.SAME;
    }

    /** Looks, and says for people what is wrong; null if nothing is. */
    public String problem()
    {
        return switch (look())
        {
            case SAME, UNREACHABLE -> null;
            case REMOVED -> path + " was removed";
            case REPLACED -> path + " was replaced by another";
            case SHORTENED -> path + " was truncated to " + sizeSeen() + " bytes";
        };
    }

    private long inodeSeen()
    {
        return result.get(ValueLayout.JAVA_LONG, INODE_OFFSET);
    }

    private long sizeSeen()
    {
        return result.get(ValueLayout.JAVA_LONG, SIZE_OFFSET);
    }

    private long deviceSeen()
    {
        return result.get(ValueLayout.JAVA_LONG, DEVICE_OFFSET);
    }
}
