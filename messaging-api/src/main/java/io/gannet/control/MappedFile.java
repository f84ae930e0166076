package io.gannet.control;

import io.gannet.control.ControlException.Reason;
import io.gannet.os.LateRelease;
import io.gannet.os.Mapping;
import io.gannet.os.OsException;
import io.gannet.os.SharedFile;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A small file mapped as a whole. Two ways to end: {@link #unmap()} for an owner whose threads can't touch it any more,
 * and {@link #retire()} where other threads might: the pages become private zeroes at once, and the addresses are freed
 * when this object is garbage. Whoever holds a buffer on it therefore holds this object too.
 */
final class MappedFile
{
    private final SharedFile file;
    private final long length;
    private final UnsafeBuffer buffer;
    private final Cleaner.Cleanable unmapping;
    private boolean ended;

    private MappedFile(final SharedFile file, final long length, final boolean writable)
    {
        this.file = file;
        this.length = length;
        // Who only looks touches what there is: all pages at once would take memory for those that were given back.
        final long address = Mapping.map(file, 0, length, writable, writable);
        buffer = new UnsafeBuffer(address, (int) length);
        unmapping = LateRelease.after(this, () -> Mapping.unmap(address, length));
    }

    /** Makes, reserves and maps a zeroed file; removes it again when that fails. */
    static MappedFile create(final GannetDirectory directory, final Path path, final long length)
    {
        final int mode = directory.fileMode();
        SharedFile file = null;
        try
        {
            file = SharedFile.create(path, mode);
            FileModes.ensure(path, mode);
            file.reserve(length);
            return new MappedFile(file, length, true);
        }
        catch (final IOException | OsException ex)
        {
            if (file != null)
            {
                file.close();
                delete(path);
            }
            throw failure(path, ex);
        }
    }

    /** Opens and maps a file that must have at least {@code minLength} bytes. */
    static MappedFile open(final Path path, final long minLength, final boolean writable)
    {
        final SharedFile file;
        try
        {
            file = writable ? SharedFile.open(path) : SharedFile.openToRead(path);
        }
        catch (final OsException ex)
        {
            throw failure(path, ex);
        }
        return map(path, file, minLength, writable);
    }

    /** Maps an open file that must have at least {@code minLength} bytes; closes it when that fails. */
    static MappedFile map(final Path path, final SharedFile file, final long minLength, final boolean writable)
    {
        try
        {
            if (Files.isDirectory(path))
            {
                // Its length would be the largest there is.
                throw new ControlException(Reason.CORRUPT, path + " is a directory, not a file of Gannet");
            }
            final long length = file.length() & -Mapping.PAGE_SIZE;
            if (length < minLength || length > Integer.MAX_VALUE)
            {
                throw new ControlException(
                    length < minLength ? Reason.INCOMPLETE : Reason.CORRUPT,
                    path + " has " + length + " bytes, at least " + minLength + " expected");
            }
            return new MappedFile(file, length, writable);
        }
        catch (final OsException ex)
        {
            file.close();
            throw failure(path, ex);
        }
        catch (final ControlException ex)
        {
            file.close();
            throw ex;
        }
    }

    static ControlException failure(final Path path, final Exception cause)
    {
        if (!Files.exists(path.getParent()))
        {
            return new ControlException(Reason.MISSING, path.getParent() + " does not exist", cause);
        }
        // By what the call said: another process may have made the file since.
        if (isMissing(cause))
        {
            return new ControlException(Reason.MISSING, path + " does not exist", cause);
        }
        if (Files.isReadable(path.getParent()) && !Files.exists(path) && !(cause instanceof IOException))
        {
            return new ControlException(Reason.STORAGE, cause.getMessage(), cause);
        }
        return new ControlException(
            Files.isReadable(path) && Files.isWritable(path) ? Reason.STORAGE : Reason.NO_PERMISSION,
            cause.getMessage(), cause);
    }

    private static boolean isMissing(final Exception cause)
    {
        return cause instanceof OsException os && os.errno() == FileModes.ENOENT;
    }

    static void delete(final Path path)
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            throw new ControlException(Reason.NO_PERMISSION, "cannot delete " + path + ": " +
                (ex instanceof AccessDeniedException ?
                    "permission denied. Give this user rwx of its directory" : ex.getMessage()), ex);
        }
    }

    /** Puts this file, made as {@code source}, in the place of {@code target} in one step; removes it if that fails. */
    void rename(final Path source, final Path target)
    {
        try
        {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            unmap();
            delete(source);
            throw new ControlException(
                Reason.NO_PERMISSION, "cannot rename " + source + " to " + target + ": " + ex.getMessage(), ex);
        }
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    SharedFile file()
    {
        return file;
    }

    int length()
    {
        return (int) length;
    }

    long address()
    {
        return buffer.addressOffset();
    }

    /** Whether all of it is still there; not, if somebody has truncated it. A system call. */
    boolean isWhole()
    {
        return file.length() >= length;
    }

    /** Closes the file, and so gives back its lock, and frees the addresses now. Nobody may use them any more. */
    synchronized void unmap()
    {
        if (!ended)
        {
            ended = true;
            file.close();
            unmapping.clean();
        }
    }

    /** Closes the file, and so gives back its lock; what is still read or written goes to private zeroes. */
    synchronized void retire()
    {
        if (!ended)
        {
            ended = true;
            file.close();
            Mapping.replaceByZeroes(address(), length);
        }
    }
}
