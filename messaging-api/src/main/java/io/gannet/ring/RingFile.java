package io.gannet.ring;

import io.gannet.os.FileSystem;
import io.gannet.os.Mapping;
import io.gannet.os.SharedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes and maps ring files. Takes milliseconds per megabyte, as all pages are taken and faulted in, so it isn't for a
 * thread that has anything else to do. Thread-safe.
 */
public final class RingFile
{
    private static final int MODE = 0660;

    /** What a mapping allows. */
    public enum Access
    {
        /** Data can be read only; the header can be written, for positions and bells. */
        READ,
        /** Everything can be written. */
        WRITE
    }

    private RingFile()
    {
    }

    /**
     * Creates a ring file, with all its memory, and maps it to be written.
     *
     * @param path of a file that doesn't exist, on tmpfs or hugetlbfs; removed again if anything goes wrong.
     * @throws io.gannet.os.OsException if there isn't enough memory, with the numbers, or the file can't be made.
     * @throws IllegalArgumentException if the directory is on a disk, or its pages are larger than the ring.
     */
    public static Ring create(final Path path, final RingDescription description)
    {
        final Path directory = path.toAbsolutePath().getParent();
        final FileSystem fileSystem = FileSystem.of(directory);
        if (!fileSystem.isMemory())
        {
            throw new IllegalArgumentException("ring " + path + ": " + directory +
                " is not on tmpfs or hugetlbfs; use a directory below /dev/shm");
        }
        try (SharedFile file = SharedFile.create(path, MODE))
        {
            try
            {
                return create(file, description, fileSystem.pageSize());
            }
            catch (final RuntimeException ex)
            {
                removeAfter(ex, path);
                throw ex;
            }
        }
    }

    /** Creates a ring in an anonymous file that goes with its mapping. */
    public static Ring createAnonymous(final RingDescription description)
    {
        try (SharedFile file = SharedFile.anonymous("ring"))
        {
            return create(file, description, Mapping.PAGE_SIZE);
        }
    }

    private static void removeAfter(final RuntimeException problem, final Path path)
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            problem.addSuppressed(ex);
        }
    }

    private static Ring create(final SharedFile file, final RingDescription description, final long pageSize)
    {
        if (description.capacity() < pageSize)
        {
            throw new IllegalArgumentException("ring capacity " + description.capacity() +
                ": must be at least a page of its file system, " + pageSize + " bytes");
        }
        final int dataOffset = (int) Math.max(RingLayout.HEADER_LENGTH, pageSize);
        file.reserve((long) dataOffset + description.capacity());
        final Pages pages = Pages.map(file, dataOffset, description.capacity(), pageSize, true, true);
        description.writeTo(NativeMemory.INSTANCE, pages.address(), dataOffset);
        return pages.ring(description);
    }

    /**
     * Maps an existing ring file. Header and length are checked, and pages that it should have and hasn't are taken, so
     * that no later access can fault.
     *
     * @throws io.gannet.os.OsException if it can't be opened or mapped.
     * @throws IllegalStateException    if it isn't a ring of this version, or is damaged.
     */
    public static Ring attach(final Path path, final Access access)
    {
        return attach(path, access, true);
    }

    /**
     * As {@link #attach}, to be written, but without a page fault for each page beforehand: for a driver that takes
     * over many rings and hardly touches their data.
     */
    public static Ring attachUnfaulted(final Path path)
    {
        return attach(path, Access.WRITE, false);
    }

    private static Ring attach(final Path path, final Access access, final boolean fault)
    {
        final long pageSize = FileSystem.of(path).pageSize();
        try (SharedFile file = SharedFile.open(path))
        {
            final long length = file.length();
            final int dataOffset = (int) Math.max(RingLayout.HEADER_LENGTH, pageSize);
            if (length < (long) dataOffset + RingLayout.MIN_CAPACITY)
            {
                throw new IllegalStateException(path + " is not a ring: it has " + length + " bytes. Remove it");
            }
            // No more than that before the length is known to be right: it may have grown to more than there is memory.
            file.reserve(dataOffset);
            final RingDescription description = readHeader(file, dataOffset, path.toString());
            if (length != (long) dataOffset + description.capacity())
            {
                throw new IllegalStateException(path + " is damaged: it has " + length + " bytes and should have " +
                    ((long) dataOffset + description.capacity()) + ". Remove it");
            }
            file.reserve(length);
            return Pages
                .map(file, dataOffset, description.capacity(), pageSize, access == Access.WRITE, fault)
                .ring(description);
        }
    }

    private static RingDescription readHeader(final SharedFile file, final int dataOffset, final String name)
    {
        final long header = Mapping.map(file, 0, dataOffset, true, false);
        try
        {
            final RingDescription description = RingDescription.readFrom(NativeMemory.INSTANCE, header, name);
            if (NativeMemory.INSTANCE.getLong(header + RingLayout.DATA_OFFSET_OFFSET) != dataOffset)
            {
                throw new IllegalStateException(name + " is damaged: its data should start at " + dataOffset);
            }
            return description;
        }
        finally
        {
            Mapping.unmap(header, dataOffset);
        }
    }

    /**
     * Header and twice the data in one run of addresses.
     *
     * @param address of the header.
     * @param length  in all.
     */
    private record Pages(long address, int headerLength, long length) implements Ring.Mapped
    {
        static Pages map(
            final SharedFile file,
            final int headerLength,
            final int capacity,
            final long pageSize,
            final boolean writable,
            final boolean fault)
        {
            final long length = headerLength + 2L * capacity;
            final long address = Mapping.reserve(length, pageSize);
            try
            {
                Mapping.mapAt(address, file, 0, headerLength, true, fault);
                Mapping.mapTwiceAt(address + headerLength, file, headerLength, capacity, writable, fault);
                Mapping.excludeFromCoreDumps(address, length);
            }
            catch (final RuntimeException ex)
            {
                Mapping.unmap(address, length);
                throw ex;
            }
            return new Pages(address, headerLength, length);
        }

        Ring ring(final RingDescription description)
        {
            return new Ring(NativeMemory.INSTANCE, address, address + headerLength, description, this);
        }

        @Override
        public void replaceByZeroes()
        {
            Mapping.replaceByZeroes(address, length);
        }

        @Override
        public void unmap()
        {
            Mapping.unmap(address, length);
        }
    }
}
