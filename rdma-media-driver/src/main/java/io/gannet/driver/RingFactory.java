package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.control.GannetDirectory;
import io.gannet.os.Errno;
import io.gannet.os.Membarrier;
import io.gannet.os.OsException;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;

/**
 * Makes, adopts and removes the files of rings. Runs on the resource thread; holds no state that changes.
 */
final class RingFactory
{
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> GROUP = PosixFilePermissions.fromString("rw-rw----");
    private static final int GROUP_FILE_MODE = 0660;
    /** What the kernel says where a limit of the process is reached. */
    private static final Set<Integer> LIMITS = Set.of(Errno.EFBIG, Errno.EMFILE);
    private static final long LOCK_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOCK_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final GannetDirectory directory;
    private final Set<PosixFilePermission> permissions;
    private final RingStorage storage;
    private final RingJournal journal;
    private final boolean hotFence;
    private final Addresses addresses;

    RingFactory(final GannetDirectory directory, final RingStorage storage, final Addresses addresses)
    {
        this.storage = storage;
        this.addresses = addresses;
        this.directory = directory;
        permissions = directory.fileMode() == GROUP_FILE_MODE ? GROUP : OWNER;
        journal = new RingJournal(directory.rings(), storage.files(), permissions);
        hotFence = !Membarrier.isSupported();
    }

    RingJournal journal()
    {
        return journal;
    }

    /** Where images break off, in the same place. */
    BrokenImages brokenImages(final ErrorHandler errorHandler)
    {
        return new BrokenImages(directory.rings(), permissions, errorHandler);
    }

    /** Bytes that a ring of this capacity takes of the file system. */
    long fileLength(final int capacity)
    {
        return storage.fileLength(capacity);
    }

    /** {@return the file's name for clients: relative to the directory where it is inside, else absolute} */
    private String nameOf(final Path file)
    {
        return (file.startsWith(directory.path()) ? directory.path().relativize(file) : file).toString();
    }

    /**
     * Makes a ring, with all its memory.
     *
     * @throws RefusedException with the numbers if there is no room.
     */
    StreamRing create(
        final long ringId,
        final RingKind kind,
        final Channel channel,
        final int streamId,
        final int sessionId,
        final int capacity) throws IOException
    {
        final Path file = journal.ringFile(ringId);
        final Ring ring;
        try
        {
            ring = RingFile.create(
                file, new RingDescription(kind, capacity, sessionId, streamId, ringId, 0, hotFence));
        }
        catch (final OsException failure)
        {
            // Of the process it is where the file system has room.
            final boolean ofProcess = LIMITS.contains(failure.errno());
            throw new RefusedException(
                ofProcess ? ErrorCode.SHORTAGE : ErrorCode.STORAGE_FULL, failure.getMessage());
        }
        Files.setPosixFilePermissions(file, permissions);
        final StreamRing made = new StreamRing(
            ringId, channel, ring, nameOf(file), fileLength(capacity));
        try
        {
            made.conductWith(lock(file));
        }
        catch (final OsException failure)
        {
            made.unmap();
            Files.delete(file);
            throw new RefusedException(ErrorCode.LIMIT_REACHED, failure.getMessage());
        }
        return made;
    }

    /**
     * Takes over the ring of a journal entry.
     *
     * @throws RuntimeException saying why it can't be.
     */
    StreamRing adopt(final JournalEntry entry)
    {
        final Path file = journal.ringFile(entry.ringId());
        final Channel channel = Channel.parse(entry.channel());
        final Place place = addresses.ofLeftRing(channel);
        final RingLock lock = lock(file);
        final Ring ring;
        try
        {
            ring = RingFile.attachUnfaulted(file);
        }
        catch (final RuntimeException failure)
        {
            lock.close();
            throw failure;
        }
        final RingDescription description = ring.description();
        if (description.registrationId() != entry.ringId() || description.kind() != entry.kind() ||
            description.capacity() != entry.capacity() || description.streamId() != entry.streamId() ||
            description.sessionId() != entry.sessionId())
        {
            ring.close();
            ring.free();
            lock.close();
            throw new IllegalStateException(file + " holds: " + description + ", number " +
                JournalEntry.hex(description.registrationId()) + "; the journal says " + entry);
        }
        final StreamRing adopted = new StreamRing(entry.ringId(), channel, ring,
            nameOf(file), fileLength(entry.capacity()));
        adopted.conductWith(lock);
        adopted.place(place);
        adopted.origin(entry.origin());
        return adopted;
    }

    /** Whether a ring's file is shorter than it was made. One that was removed is as it was for those who map it. */
    boolean isTruncated(final StreamRing ring)
    {
        try
        {
            return Files.size(directory.path().resolve(ring.fileName())) < ring.fileLength();
        }
        catch (final IOException removed)
        {
            return false;
        }
    }

    /** Removes a ring that nobody uses any more. */
    void destroy(final StreamRing ring) throws IOException
    {
        try
        {
            journal.remove(ring.ringId());
        }
        finally
        {
            // Also where its file can't be removed: its pages and its lock go.
            unmap(ring);
        }
    }

    /** Lets go of a ring whose file stays, for the driver that comes next. */
    void unmap(final StreamRing ring)
    {
        ring.unmap();
    }

    /** Takes the right to conduct a ring; a client that leaves it has that for microseconds. */
    private static RingLock lock(final Path file)
    {
        final long start = System.nanoTime();
        RingLock lock = RingLock.tryAcquire(file);
        while (lock == null)
        {
            if (System.nanoTime() - start > LOCK_PATIENCE_NANOS)
            {
                throw new IllegalStateException(file + " is locked by another process for " +
                    TimeUnit.NANOSECONDS.toSeconds(LOCK_PATIENCE_NANOS) + " s");
            }
            LockSupport.parkNanos(LOCK_PAUSE_NANOS);
            lock = RingLock.tryAcquire(file);
        }
        return lock;
    }
}
