package io.gannet.control;

import io.gannet.control.ControlException.Reason;
import io.gannet.os.FileSystem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Names and access rights in a driver's directory. The directory may be there already, also as a mount, and is never
 * deleted, only files in it. Whether the group takes part is read from the directory's own mode.
 *
 * @param path absolute and normalised.
 */
public record GannetDirectory(Path path)
{
    /** System property that names the directory. */
    public static final String PROPERTY = "gannet.dir";
    /** Environment variable that names the directory where the property isn't set. */
    public static final String ENVIRONMENT = "GANNET_DIR";

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> GROUP = PosixFilePermissions.fromString("rwxrwx---");
    private static final String GROUP_ID = "unix:gid";
    /** 02770: files get the directory's group. */
    private static final int SHARED_MODE = 0x5F8;
    private static final int CLIENT_ID_DIGITS = 16;
    private static final String TEMPORARY_PREFIX = ".";

    /** Makes the path absolute. */
    public GannetDirectory
    {
        path = path.toAbsolutePath().normalize();
    }

    /** The directory that {@link #PROPERTY}, {@link #ENVIRONMENT} or the user's name say. */
    public static GannetDirectory ofUser()
    {
        final String property = System.getProperty(PROPERTY);
        if (property != null && !property.isBlank())
        {
            return new GannetDirectory(Path.of(property));
        }
        final String environment = System.getenv(ENVIRONMENT);
        if (environment != null && !environment.isBlank())
        {
            return new GannetDirectory(Path.of(environment));
        }
        return new GannetDirectory(Path.of("/dev/shm/gannet-" + System.getProperty("user.name")));
    }

    /** See {@link DriverFile}. */
    public Path driver()
    {
        return path.resolve("driver");
    }

    /** See {@link ControlFile}. */
    public Path control()
    {
        return path.resolve("control");
    }

    /** The pipe that wakes a driver which sleeps in poll(2), as one with a NIC does. */
    public Path pipe()
    {
        return path.resolve("bell");
    }

    /** Where {@link ClientFile}s are. */
    public Path clients()
    {
        return path.resolve("clients");
    }

    /** Where the driver keeps rings. */
    public Path rings()
    {
        return path.resolve("rings");
    }

    /** The file of a client. */
    public Path client(final long clientId)
    {
        return clients().resolve(String.format("%016x", clientId));
    }

    /** The client id that a file name in {@link #clients()} stands for, or 0 when it is no client's. */
    public static long clientId(final String fileName)
    {
        if (fileName.length() != CLIENT_ID_DIGITS)
        {
            return 0;
        }
        try
        {
            return Math.max(0, Long.parseLong(fileName, 16));
        }
        catch (final NumberFormatException ex)
        {
            return 0;
        }
    }

    /** A ring's file as an event names it: relative to the directory, or absolute. */
    public Path ringFile(final String name)
    {
        return path.resolve(name);
    }

    /** The name under which a file is made before it is renamed to {@code target}. */
    public static Path temporary(final Path target)
    {
        return target.resolveSibling(TEMPORARY_PREFIX + target.getFileName());
    }

    /**
     * Mode for files in the directory: 0660 where the group may enter and write, or may enter and others may not; else
     * 0600. A directory that was made without a thought of it has 0755, and is its owner's.
     */
    public int fileMode()
    {
        try
        {
            final Set<PosixFilePermission> modes = Files.getPosixFilePermissions(path);
            return modes.contains(PosixFilePermission.GROUP_EXECUTE) &&
                (modes.contains(PosixFilePermission.GROUP_WRITE) ||
                    !modes.contains(PosixFilePermission.OTHERS_EXECUTE)) ? FileModes.GROUP : FileModes.OWNER;
        }
        catch (final IOException ex)
        {
            throw new ControlException(Reason.MISSING, "cannot read the mode of " + path + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * The driver's preparation: makes what is missing, and checks that it can be used.
     *
     * @param group whether the group may connect: modes 0770 of a directory that is made here, else 0700. The mode of
     *              a directory that was there is left as it is.
     * @return directories that were made, for {@link #removeMade}.
     * @throws ControlException naming what is wrong and the remedy; nothing that was made is left then.
     */
    public List<Path> prepare(final boolean group)
    {
        final List<Path> made = new ArrayList<>();
        try
        {
            prepare(group, made);
        }
        catch (final ControlException refused)
        {
            removeMade(made);
            throw refused;
        }
        return made;
    }

    /** Removes directories that {@link #prepare} made, as far as there is nothing in them. */
    public static void removeMade(final List<Path> made)
    {
        for (final Path directory : made.reversed())
        {
            try
            {
                Files.deleteIfExists(directory);
            }
            catch (final IOException inUse)
            {
                // Somebody else has put something there.
            }
        }
    }

    private void prepare(final boolean group, final List<Path> made)
    {
        final Path there = Files.exists(path) ? path : path.getParent();
        // Before it is made, so that a directory that is refused is not left behind.
        if (Files.isDirectory(there))
        {
            checkFileSystem(FileSystem.of(there));
        }
        make(path, group, made);
        if (!Files.isWritable(path))
        {
            throw new ControlException(Reason.NO_PERMISSION, "directory " + path + " is not writable for user " +
                System.getProperty("user.name") + ownerText() + ", or choose another directory");
        }
        final boolean groupInside = isShared();
        make(clients(), groupInside, made);
        make(rings(), groupInside, made);
        if (groupInside)
        {
            shareWithGroup(clients());
            shareWithGroup(rings());
        }
    }

    private void checkFileSystem(final FileSystem fileSystem)
    {
        if (!fileSystem.isMemory())
        {
            throw new ControlException(Reason.STORAGE, "directory " + path + " is on a disk file system, where a " +
                "ring would wait for the disk. Use one on tmpfs, such as below /dev/shm");
        }
        if (fileSystem.isHuge())
        {
            throw new ControlException(Reason.STORAGE, "directory " + path + " is on hugetlbfs, where files can't be " +
                "written. Use one on tmpfs, such as below /dev/shm, and memory=hugetlb for its rings");
        }
    }

    /** Whether the group may connect; see {@link #fileMode()}. */
    public boolean isShared()
    {
        return fileMode() == FileModes.GROUP;
    }

    /**
     * What anybody of the group makes in it is the group's, whichever their own first group is.
     *
     * @param directory for files of the driver and its clients; of the driver's user, or as it is.
     */
    public void shareWithGroup(final Path directory)
    {
        try
        {
            final Object group = Files.getAttribute(path, GROUP_ID);
            if (!group.equals(Files.getAttribute(directory, GROUP_ID)))
            {
                Files.setAttribute(directory, GROUP_ID, group);
            }
        }
        catch (final IOException notOfThatGroup)
        {
            // Then it is the group of the driver's user that may connect.
        }
        try
        {
            Files.setAttribute(directory, "unix:mode", SHARED_MODE);
        }
        catch (final IOException ofAnotherUser)
        {
            // Who made it has done this.
        }
    }

    private static void make(final Path directory, final boolean group, final List<Path> made)
    {
        try
        {
            Files.createDirectory(directory);
            made.add(directory);
            Files.setPosixFilePermissions(directory, group ? GROUP : OWNER);
        }
        catch (final FileAlreadyExistsException ex)
        {
            if (!Files.isDirectory(directory))
            {
                throw new ControlException(
                    Reason.CORRUPT, directory + " is not a directory. Remove it, or choose another directory", ex);
            }
        }
        catch (final AccessDeniedException ex)
        {
            throw new ControlException(Reason.NO_PERMISSION, "cannot make directory " + directory + ": user " +
                System.getProperty("user.name") + " may not write in " + directory.getParent(), ex);
        }
        catch (final IOException ex)
        {
            final Path parent = directory.getParent();
            throw new ControlException(Reason.MISSING, "cannot make directory " + directory + ": " +
                (Files.isDirectory(parent) ? parent + " takes none (" + ex + "). Choose another place" :
                    parent + " is no directory"), ex);
        }
    }

    private String ownerText()
    {
        try
        {
            final String owner = Files.getOwner(path).getName();
            return owner.equals(System.getProperty("user.name")) ?
                ", its owner, as its mode is " + PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) +
                ". Run chmod u+rwx " + path : ", it belongs to " + owner + ". Run as its owner";
        }
        catch (final IOException ex)
        {
            return ". Run as its owner";
        }
    }

    @Override
    public String toString()
    {
        return path.toString();
    }
}
