package io.gannet.os;

/**
 * Maps shared files at addresses. All lengths and offsets are multiples of the file's page size. Thread-safe; whoever
 * maps also unmaps, once.
 */
public final class Mapping
{
    /** Page size assumed; files on hugetlbfs have their own. A kernel with larger pages is refused by mmap itself. */
    public static final int PAGE_SIZE = 4096;

    private static final int PROT_NONE = 0;
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MAP_POPULATE = 0x8000;
    private static final int MADV_DONTDUMP = 16;

    private static final String REMEDY = "Raise vm.max_map_count, or the address-space limit: ulimit -v unlimited";

    private Mapping()
    {
    }

    /**
     * Takes addresses without memory behind them; an access faults until something is mapped there.
     *
     * @param alignment a power of two.
     */
    public static long reserve(final long length, final long alignment)
    {
        final long extra = alignment > PAGE_SIZE ? alignment : 0;
        final int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        final long raw = OsException.check(
            Syscall.call(SyscallNumber.MMAP, 0, length + extra, PROT_NONE, flags, -1, 0),
            "reserve " + length + " bytes of address space", REMEDY);
        if (extra == 0)
        {
            return raw;
        }
        final long address = (raw + alignment - 1) & -alignment;
        if (address > raw)
        {
            unmap(raw, address - raw);
        }
        if (raw + extra > address)
        {
            unmap(address + length, raw + extra - address);
        }
        return address;
    }

    /**
     * Maps a part of a file where the kernel likes.
     *
     * @param populate whether to fault all pages in now rather than at first touch.
     * @return the address.
     */
    public static long map(
        final SharedFile file, final long offset, final long length, final boolean writable, final boolean populate)
    {
        final int flags = MAP_SHARED | (populate ? MAP_POPULATE : 0);
        return OsException.check(
            Syscall.call(SyscallNumber.MMAP, 0, length, protection(writable), flags, file.descriptor(), offset),
            "map " + length + " bytes of " + file, REMEDY);
    }

    /** Maps a part of a file at an address that {@link #reserve} gave, or over an earlier mapping. */
    public static void mapAt(
        final long address,
        final SharedFile file,
        final long offset,
        final long length,
        final boolean writable,
        final boolean populate)
    {
        final int flags = MAP_SHARED | MAP_FIXED | (populate ? MAP_POPULATE : 0);
        OsException.check(
            Syscall.call(SyscallNumber.MMAP, address, length, protection(writable), flags, file.descriptor(), offset),
            "map " + length + " bytes of " + file, REMEDY);
    }

    /**
     * Maps {@code length} bytes of a file twice, back to back, at {@code address} and {@code address + length}, so that
     * what runs over the end of the first goes on at the start.
     */
    public static void mapTwiceAt(
        final long address,
        final SharedFile file,
        final long offset,
        final long length,
        final boolean writable,
        final boolean populate)
    {
        mapAt(address, file, offset, length, writable, populate);
        mapAt(address + length, file, offset, length, writable, populate);
    }

    /** Maps private zeroed memory, which takes none until it is written. */
    public static long mapAnonymous(final long length)
    {
        return OsException.check(
            Syscall.call(
                SyscallNumber.MMAP, 0, length, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            "map " + length + " bytes of memory", REMEDY);
    }

    /**
     * Replaces a mapping by private zeroes in one step, so that a thread that still reads or writes there does so
     * without effect and without fault. Takes no memory until written.
     */
    public static void replaceByZeroes(final long address, final long length)
    {
        OsException.check(
            Syscall.call(
                SyscallNumber.MMAP, address, length, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0),
            "replace a mapping of " + length + " bytes", REMEDY);
    }

    /** Keeps a mapping out of core dumps. */
    public static void excludeFromCoreDumps(final long address, final long length)
    {
        OsException.check(
            Syscall.call(SyscallNumber.MADVISE, address, length, MADV_DONTDUMP), "set the core-dump policy");
    }

    /** Frees addresses; an access faults from now on. */
    public static void unmap(final long address, final long length)
    {
        OsException.check(
            Syscall.call(SyscallNumber.MUNMAP, address, length, 0), "unmap " + length + " bytes");
    }

    private static int protection(final boolean writable)
    {
        return writable ? PROT_READ | PROT_WRITE : PROT_READ;
    }
}
