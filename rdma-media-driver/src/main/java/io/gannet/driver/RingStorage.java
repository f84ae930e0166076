package io.gannet.driver;

import io.gannet.control.GannetDirectory;
import io.gannet.errors.OperatorError;
import io.gannet.os.FileSystem;
import io.gannet.os.HugePages;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where ring files are: in the directory, or on hugetlbfs in a directory of their own. All else stays in the driver's
 * directory, as files on hugetlbfs cannot be written, only mapped.
 *
 * @param files    directory of the ring files.
 * @param pageSize of their memory.
 */
record RingStorage(Path files, long pageSize)
{
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> GROUP = PosixFilePermissions.fromString("rwxrwx---");
    private static final String GROUP_ID = "unix:gid";

    /** What rings are made of. */
    enum Memory
    {
        /** Pages of 4 KiB, in the driver's directory. */
        TMPFS,
        /** Huge pages. */
        HUGETLB
    }

    /**
     * Finds it, and makes the directory on hugetlbfs.
     *
     * @throws DriverException with the remedy, if there is no such file system or it can't be used.
     */
    static RingStorage of(final DriverConfiguration configuration, final GannetDirectory directory)
    {
        if (configuration.get(DriverOptions.MEMORY) == Memory.TMPFS)
        {
            return new RingStorage(directory.rings(), FileSystem.of(directory.rings()).pageSize());
        }
        final Path mount = configuration.get(DriverOptions.HUGETLB_MOUNT);
        if (!Files.isDirectory(mount) || !FileSystem.of(mount).isHuge())
        {
            throw new DriverException(OperatorError.HUGE_PAGES, DriverOptions.MEMORY + "=hugetlb: " + mount +
                " is not on hugetlbfs. Mount it: mount -t hugetlbfs none " + mount +
                ", or name another with " + DriverOptions.HUGETLB_MOUNT);
        }
        // One for each driver's directory, the same after a restart.
        final Path files = mount.resolve("gannet" + directory.path().toString().replace('/', '-'));
        final boolean group = directory.isShared();
        try
        {
            Files.createDirectories(files);
            Files.setPosixFilePermissions(files, group ? GROUP : OWNER);
            if (group)
            {
                directory.shareWithGroup(files);
                checkGroup(mount, directory);
            }
        }
        catch (final IOException e)
        {
            throw new DriverException(OperatorError.HUGE_PAGES, "cannot make " + files + ": user " +
                System.getProperty("user.name") + " may not. Mount hugetlbfs for it: " +
                "mount -t hugetlbfs -o uid=USER," + (group ? "gid=GROUP,mode=0770" : "mode=0700") + " none " + mount,
                e);
        }
        return new RingStorage(files, FileSystem.of(files).pageSize());
    }

    /** Clients of the directory's group have to reach the rings. */
    private static void checkGroup(final Path mount, final GannetDirectory directory) throws IOException
    {
        final Set<PosixFilePermission> mode = Files.getPosixFilePermissions(mount);
        final boolean ofGroup = Files.getAttribute(mount, GROUP_ID)
            .equals(Files.getAttribute(directory.path(), GROUP_ID));
        if (!mode.contains(PosixFilePermission.OTHERS_EXECUTE) &&
            !(ofGroup && mode.contains(PosixFilePermission.GROUP_EXECUTE)))
        {
            throw new DriverException(OperatorError.HUGE_PAGES, "the group that may connect to " + directory +
                " can't enter " + mount + ", whose mode is " + PosixFilePermissions.toString(mode) + " and group " +
                Files.getAttribute(mount, "posix:group") + ". Mount it for both: mount -t hugetlbfs -o uid=USER,gid=" +
                Files.getAttribute(directory.path(), "posix:group") + ",mode=0770 none " + mount);
        }
    }

    boolean isHuge()
    {
        return pageSize > RingLayout.HEADER_LENGTH;
    }

    /** {@return bytes that a ring of this capacity takes of the file system: header and data in whole pages} */
    long fileLength(final int capacity)
    {
        return Math.max(RingLayout.HEADER_LENGTH, pageSize) + Math.max(capacity, pageSize);
    }

    /**
     * Whether there is memory for a ring.
     *
     * @param keptFree bytes that must be left.
     * @return null, or why not: needed, available and the remedy.
     */
    String shortage(final long bytes, final long keptFree)
    {
        if (isHuge())
        {
            final HugePages pool = HugePages.of(pageSize);
            if (pool.pages(bytes) > pool.free())
            {
                return pool.explain(bytes);
            }
        }
        final FileSystem fileSystem = FileSystem.of(files);
        final long kept = isHuge() ? 0 : keptFree;
        if (fileSystem.totalBytes() != 0 && bytes > fileSystem.availableBytes() - kept)
        {
            return fileSystem.availableBytes() + " bytes are available in " + files +
                (kept == 0 ? "" : ", " + kept + " of them for the next driver") +
                ": close publications, choose smaller rings (ring=) or enlarge the file system";
        }
        return null;
    }
}
