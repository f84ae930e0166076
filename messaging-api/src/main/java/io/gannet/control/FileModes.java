package io.gannet.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Access bits of the directory's files, and the one error number that is told apart. */
final class FileModes
{
    static final int OWNER = 0600;
    static final int GROUP = 0660;
    /** No such file or directory. */
    static final int ENOENT = 2;

    private static final String GROUP_ID = "unix:gid";
    private static final Set<PosixFilePermission> OWNER_PERMISSIONS = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> GROUP_PERMISSIONS = PosixFilePermissions.fromString("rw-rw----");

    private FileModes()
    {
    }

    /**
     * Sets what the umask may have taken away, and for the group's sake the group of the folder; only its owner can, so
     * nothing is done where nothing is missing.
     */
    static void ensure(final Path path, final int mode) throws IOException
    {
        if (mode == GROUP)
        {
            shareWithFoldersGroup(path);
        }
        final Set<PosixFilePermission> wanted = mode == GROUP ? GROUP_PERMISSIONS : OWNER_PERMISSIONS;
        if (!wanted.equals(Files.getPosixFilePermissions(path)))
        {
            Files.setPosixFilePermissions(path, wanted);
        }
    }

    /**
     * A file has its maker's first group, unless the folder hands its own on by its set-group-id bit, which a driver
     * that runs as a hardened service may not set.
     */
    private static void shareWithFoldersGroup(final Path path) throws IOException
    {
        final Object group = Files.getAttribute(path.getParent(), GROUP_ID);
        if (!group.equals(Files.getAttribute(path, GROUP_ID)))
        {
            try
            {
                Files.setAttribute(path, GROUP_ID, group);
            }
            catch (final IOException notOfThatGroup)
            {
                // Who of that group opens it is told that it may not.
            }
        }
    }
}
