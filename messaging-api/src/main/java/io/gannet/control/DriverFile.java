package io.gannet.control;

import static io.gannet.control.DriverLayout.ARRIVALS;
import static io.gannet.control.DriverLayout.DRIVER_MAGIC;
import static io.gannet.control.DriverLayout.EPOCH;
import static io.gannet.control.DriverLayout.HEADER_LENGTH;
import static io.gannet.control.DriverLayout.HEARTBEAT;
import static io.gannet.control.DriverLayout.LAYOUT_VERSION;
import static io.gannet.control.DriverLayout.MAGIC;
import static io.gannet.control.DriverLayout.STATE;
import static io.gannet.control.DriverLayout.STATE_CLOSED;
import static io.gannet.control.DriverLayout.STATE_RUNNING;
import static io.gannet.control.DriverLayout.STATE_STARTING;

import io.gannet.control.ControlException.Reason;
import io.gannet.os.NamedPipe;
import io.gannet.os.OsException;
import io.gannet.os.Processes;
import io.gannet.os.SharedFile;
import io.gannet.protocol.ConnectDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file {@code driver}: locked by the driver while it lives, so that there is one per directory, and kept from one
 * driver to the next, so that clients see by one load that the epoch changed. Layout: {@link DriverLayout}. A driver
 * {@link #acquire}s it, clients and tools {@link #open} it. Thread-safe but for {@link #close()}.
 */
public final class DriverFile implements AutoCloseable
{
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path path;
    private final MappedFile mapped;
    private final UnsafeBuffer buffer;
    private final boolean owned;
    /** No driver had the directory before. */
    private final boolean isNew;
    private final NamedPipe pipe;
    private final Bell bell;
    /** Of the driver that owns this, as it wrote them. */
    private long ownEpoch;
    private long ownIdentity;

    private DriverFile(
        final GannetDirectory directory, final MappedFile mapped, final boolean owned, final boolean isNew)
    {
        this.isNew = isNew;
        path = directory.driver();
        this.mapped = mapped;
        this.owned = owned;
        buffer = mapped.buffer();
        pipe = new NamedPipe(directory.pipe());
        bell = new Bell(mapped, DriverLayout.BELL, pipe);
    }

    /**
     * Becomes the directory's driver, in state STARTING with an epoch of its own.
     *
     * @param directory prepared.
     * @param version   of the program.
     * @throws ControlException IN_USE, naming the driver that runs, or what else is wrong.
     */
    public static DriverFile acquire(final GannetDirectory directory, final String version)
    {
        final Path path = directory.driver();
        final SharedFile file = lock(directory, path);
        boolean isNew = false;
        try
        {
            isNew = file.length() == 0;
            file.reserve(HEADER_LENGTH);
        }
        catch (final OsException ex)
        {
            removeIf(isNew, path);
            file.close();
            throw MappedFile.failure(path, ex);
        }
        final DriverFile driverFile =
            new DriverFile(directory, MappedFile.map(path, file, HEADER_LENGTH, true), true, isNew);
        // Until here a client finds the lock taken and the driver before, which died, still running.
        driverFile.buffer.putIntRelease(STATE, STATE_STARTING);
        Path at = path;
        try
        {
            FileModes.ensure(path, directory.fileMode());
            at = directory.pipe();
            driverFile.pipe.make(directory.fileMode());
            FileModes.ensure(directory.pipe(), directory.fileMode());
        }
        catch (final OsException | IOException ex)
        {
            driverFile.abandon(directory);
            throw MappedFile.failure(at, ex);
        }
        driverFile.start(version);
        return driverFile;
    }

    private static SharedFile lock(final GannetDirectory directory, final Path path)
    {
        while (true)
        {
            SharedFile file = null;
            try
            {
                file = SharedFile.openOrCreate(path, directory.fileMode());
                if (!file.tryLock())
                {
                    throw new ControlException(Reason.IN_USE, "another driver runs in " + directory + ": " +
                        describe(path) + ". Stop it first, or choose another directory");
                }
                if (file.isAt(path))
                {
                    return file;
                }
                // A start that was refused has removed it meanwhile.
                file.close();
            }
            catch (final OsException | ControlException ex)
            {
                if (file != null)
                {
                    file.close();
                }
                throw ex instanceof final OsException os ? MappedFile.failure(path, os) : (ControlException) ex;
            }
        }
    }

    private static void removeIf(final boolean condition, final Path path)
    {
        if (condition)
        {
            MappedFile.delete(path);
        }
    }

    /**
     * Looks at the directory's driver.
     *
     * @param writable whether to {@link #arrive()} and ring; a tool that only looks needs no right to write.
     * @throws ControlException MISSING, NO_PERMISSION, INCOMPLETE, or WRONG_VERSION naming both versions.
     */
    public static DriverFile open(final GannetDirectory directory, final boolean writable)
    {
        final MappedFile mapped = MappedFile.open(directory.driver(), HEADER_LENGTH, writable);
        final UnsafeBuffer buffer = mapped.buffer();
        // Pairs with the release in start(): the rest is there, and isn't looked at before.
        final long magic = buffer.getLongVolatile(MAGIC);
        final int layoutVersion = magic == DRIVER_MAGIC ? buffer.getInt(LAYOUT_VERSION) : 0;
        if (magic == DRIVER_MAGIC && layoutVersion == DriverLayout.VERSION)
        {
            return new DriverFile(directory, mapped, false, false);
        }
        mapped.unmap();
        if (magic == 0)
        {
            throw new ControlException(Reason.INCOMPLETE, "a driver is making " + directory.driver());
        }
        if (magic != DRIVER_MAGIC)
        {
            throw new ControlException(Reason.CORRUPT, directory.driver() + " is not a driver's file");
        }
        throw wrongVersion(directory.driver(), layoutVersion);
    }

    static ControlException wrongVersion(final Path path, final int layoutVersion)
    {
        return new ControlException(Reason.WRONG_VERSION, path + " has layout version " + layoutVersion +
            ", this program knows version " + DriverLayout.VERSION +
            ". Use driver and clients of the same release, or one apart");
    }

    private static String describe(final Path path)
    {
        try
        {
            final MappedFile mapped = MappedFile.open(path, HEADER_LENGTH, false);
            try
            {
                return DriverInfo.read(mapped.buffer()).toString();
            }
            finally
            {
                mapped.unmap();
            }
        }
        catch (final ControlException ex)
        {
            return "it is just starting";
        }
    }

    private void start(final String version)
    {
        final long now = System.currentTimeMillis();
        final boolean known = buffer.getLong(MAGIC) == DRIVER_MAGIC;
        // Larger than any epoch that a client of this directory has seen, also if the directory was emptied meanwhile.
        final long epoch = known ? Math.max(now, buffer.getLong(EPOCH) + 1) : now;
        if (!known || identity() == 0)
        {
            buffer.putLong(DriverLayout.IDENTITY, RANDOM.nextLong() | 1);
        }
        // Clients of the driver before look at it meanwhile; who sees the new epoch sees this.
        buffer.putIntOpaque(STATE, STATE_STARTING);
        new DriverInfo(
            Processes.pid(), now, version, DriverLayout.VERSION, ConnectDecoder.SCHEMA_VERSION, epoch).write(buffer);
        heartbeat(System.nanoTime());
        buffer.putLongRelease(EPOCH, epoch);        // pairs with epoch()
        buffer.putLongRelease(MAGIC, DRIVER_MAGIC); // pairs with open()
        ownEpoch = epoch;
        ownIdentity = identity();
    }

    /** The driver's: what somebody else has written over what clients find it by; null for nothing. */
    public String problem()
    {
        final int state = buffer.getIntOpaque(STATE);
        if (buffer.getLongOpaque(MAGIC) == DRIVER_MAGIC && buffer.getInt(LAYOUT_VERSION) == DriverLayout.VERSION &&
            buffer.getLongOpaque(EPOCH) == ownEpoch && identity() == ownIdentity &&
            (state == STATE_STARTING || state == STATE_RUNNING))
        {
            return null;
        }
        return path + " was written to by something else than this driver";
    }

    /** The driver's: clients may come now. */
    public void running()
    {
        buffer.putIntRelease(STATE, STATE_RUNNING);  // pairs with isRunning()
    }

    /** Whether the driver of this epoch is ready, or was when it died. */
    public boolean isRunning()
    {
        return buffer.getIntVolatile(STATE) == STATE_RUNNING;     // pairs with running()
    }

    /** Whether the last driver closed in order. */
    public boolean isCleanlyClosed()
    {
        return buffer.getIntVolatile(STATE) == STATE_CLOSED;
    }

    /** Whether a driver lives. A system call. */
    public boolean isAlive()
    {
        return owned || mapped.file().isLockedByOther();
    }

    /** Epoch of the last driver that started; one load. */
    public long epoch()
    {
        return buffer.getLongVolatile(EPOCH);       // pairs with start(): this epoch's state and description, or later
    }

    /** Names the directory's driver over its restarts to other hosts; random, never 0. */
    public long identity()
    {
        return buffer.getLong(DriverLayout.IDENTITY);
    }

    /** The last driver that started. */
    public DriverInfo info()
    {
        return DriverInfo.read(buffer);
    }

    /** The driver's: says that its conductor turns. */
    public void heartbeat(final long nowNanos)
    {
        buffer.putLongOpaque(HEARTBEAT, nowNanos);
    }

    /** Last heartbeat, of the monotonic clock. */
    public long heartbeat()
    {
        return buffer.getLongOpaque(HEARTBEAT);
    }

    /** A client's: its file is in the directory. */
    public void arrive()
    {
        buffer.getAndAddLong(ARRIVALS, 1);          // pairs with arrivals(): the file's name is there
        bell.ring();
    }

    /** Grows when clients arrive. */
    public long arrivals()
    {
        return buffer.getLongVolatile(ARRIVALS);    // pairs with arrive()
    }

    /** Wakes the driver's conductor. */
    public Bell bell()
    {
        return bell;
    }

    /** By which clients wake a driver that sleeps in poll(2). */
    public NamedPipe pipe()
    {
        return pipe;
    }

    /** Bytes that the file has. */
    public int length()
    {
        return mapped.length();
    }

    /** Whether all of it is still there; not, if somebody has truncated it. A system call. */
    public boolean isWhole()
    {
        return mapped.isWhole();
    }

    /**
     * Of a driver that was refused: {@link #close()}s, and removes this file and those beside it if no driver had the
     * directory before, so that nobody takes this one for a driver that was stopped. While a client waits they stay.
     */
    public void abandon(final GannetDirectory directory)
    {
        final String[] clients = directory.clients().toFile().list();
        if (isNew && (clients == null || clients.length == 0))
        {
            try
            {
                // Before the lock is given back: the next driver makes its own.
                MappedFile.delete(directory.control());
                MappedFile.delete(directory.pipe());
                MappedFile.delete(path);
            }
            catch (final ControlException inTheWay)
            {
                // Why the driver was refused is more important.
            }
        }
        close();
    }

    /** The driver's: gives back the lock, in state CLOSED. Everybody else's: lets go. */
    @Override
    public void close()
    {
        try
        {
            if (owned)
            {
                buffer.putIntRelease(STATE, STATE_CLOSED);  // for its value alone; pairs with isCleanlyClosed()
            }
        }
        catch (final InternalError truncated)
        {
            // Whoever looks finds a short file and no lock, which says the same.
        }
        finally
        {
            pipe.close();
            mapped.retire();
        }
    }
}
