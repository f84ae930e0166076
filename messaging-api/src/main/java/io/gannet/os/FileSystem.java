package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * What statfs(2) says of the file system below a path.
 *
 * @param type           magic number of the file system's type.
 * @param blockSize      bytes of a block; on hugetlbfs the page size.
 * @param totalBytes     size, 0 if unlimited.
 * @param availableBytes what this user can still take.
 */
public record FileSystem(long type, long blockSize, long totalBytes, long availableBytes)
{
    private static final long TMPFS = 0x01021994L;
    private static final long RAMFS = 0x858458F6L;
    private static final long HUGETLBFS = 0x958458F6L;

    /**
     * Asks.
     *
     * @throws OsException if there is no such path.
     */
    public static FileSystem of(final Path path)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment buffer = arena.allocate(256, 8);
            OsException.check(
                Syscall.restarting(
                    SyscallNumber.STATFS, arena.allocateFrom(path.toString()).address(), buffer.address(), 0),
                "examine the file system of " + path);
            final long blockSize = word(buffer, 1);
            return new FileSystem(
                word(buffer, 0) & 0xFFFF_FFFFL, blockSize, word(buffer, 2) * blockSize, word(buffer, 4) * blockSize);
        }
    }

    private static long word(final MemorySegment statfs, final int index)
    {
        return statfs.get(ValueLayout.JAVA_LONG, index * 8L);
    }

    /** Whether files there are memory, so that a ring can live there. */
    public boolean isMemory()
    {
        return type == TMPFS || type == RAMFS || type == HUGETLBFS;
    }

    /** Whether its pages are huge pages. */
    public boolean isHuge()
    {
        return type == HUGETLBFS;
    }

    /** Bytes of its pages. */
    public long pageSize()
    {
        return isHuge() ? blockSize : Mapping.PAGE_SIZE;
    }

    String availableText()
    {
        return availableBytes + " of " + totalBytes + " bytes are available";
    }
}
