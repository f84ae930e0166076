package io.gannet.control;

import static io.gannet.control.DriverLayout.CONTROL_MAGIC;
import static io.gannet.control.DriverLayout.COUNTERS;
import static io.gannet.control.DriverLayout.EPOCH;
import static io.gannet.control.DriverLayout.ERROR_LOG_LENGTH;
import static io.gannet.control.DriverLayout.HEADER_LENGTH;
import static io.gannet.control.DriverLayout.LAYOUT_VERSION;
import static io.gannet.control.DriverLayout.MAGIC;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.concurrent.status.CountersReader.COUNTER_LENGTH;
import static org.agrona.concurrent.status.CountersReader.METADATA_LENGTH;

import io.gannet.control.ControlException.Reason;
import io.gannet.os.Mapping;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * The file {@code control}: counters and distinct errors of one driver epoch. Layout: {@link DriverLayout}. Created
 * under a temporary name and renamed in, never changed under a reader: a new driver makes a new one, and whoever has
 * the old one mapped keeps its last values. Its parts are as thread-safe as Agrona makes them; after {@link #close()}
 * they read and write private zeroes as long as this object is referenced.
 */
public final class ControlFile implements AutoCloseable
{
    /** Most counters of a file. */
    public static final int MAX_COUNTERS = 1 << 20;
    /** Longest error log. */
    public static final int MAX_ERROR_LOG_LENGTH = 64 * 1024 * 1024;

    private static final long COUNTER_REUSE_MILLIS = 1000;

    private final Path path;
    private final MappedFile mapped;
    private final long epoch;
    private final int counters;
    private final UnsafeBuffer labels;
    private final UnsafeBuffer values;
    private final UnsafeBuffer errors;

    private ControlFile(final Path path, final MappedFile mapped, final int counters, final int errorLogLength)
    {
        this.path = path;
        this.mapped = mapped;
        this.counters = counters;
        epoch = mapped.buffer().getLong(EPOCH);
        final int labelsLength = counters * METADATA_LENGTH;
        final int valuesLength = counters * COUNTER_LENGTH;
        final UnsafeBuffer buffer = mapped.buffer();
        labels = new UnsafeBuffer(buffer, HEADER_LENGTH, labelsLength);
        values = new UnsafeBuffer(buffer, HEADER_LENGTH + labelsLength, valuesLength);
        errors = new UnsafeBuffer(buffer, HEADER_LENGTH + labelsLength + valuesLength, errorLogLength);
    }

    /**
     * The driver's: makes the file of its epoch and puts it in place of the last one.
     *
     * @param driver         of this epoch.
     * @param counters       how many there can be, 1 to {@link #MAX_COUNTERS}; 640 bytes each.
     * @param errorLogLength bytes for distinct errors, 4096 to {@link #MAX_ERROR_LOG_LENGTH}.
     * @throws ControlException if there is no room, naming what is needed and available.
     */
    public static ControlFile create(
        final GannetDirectory directory, final DriverInfo driver, final int counters, final int errorLogLength)
    {
        if (!isPlausible(counters, errorLogLength))
        {
            throw new IllegalArgumentException("control file of " + counters + " counters and " + errorLogLength +
                " bytes of errors: 1 to " + MAX_COUNTERS + " and 4096 to " + MAX_ERROR_LOG_LENGTH + " are possible");
        }
        final Path temporary = GannetDirectory.temporary(directory.control());
        MappedFile.delete(temporary);
        final MappedFile mapped = make(directory, temporary, fileLength(counters, errorLogLength));
        final UnsafeBuffer buffer = mapped.buffer();
        driver.write(buffer);
        buffer.putInt(COUNTERS, counters);
        buffer.putInt(ERROR_LOG_LENGTH, errorLogLength);
        buffer.putLong(EPOCH, driver.epoch());
        buffer.putLongRelease(MAGIC, CONTROL_MAGIC);        // pairs with open()
        mapped.rename(temporary, directory.control());
        return new ControlFile(directory.control(), mapped, counters, errorLogLength);
    }

    /** Makes the new file beside the old one; if there is room for one only, the old one goes first. */
    private static MappedFile make(final GannetDirectory directory, final Path temporary, final long length)
    {
        try
        {
            return MappedFile.create(directory, temporary, length);
        }
        catch (final ControlException shortage)
        {
            if (shortage.reason() != Reason.STORAGE || !Files.exists(directory.control()))
            {
                throw shortage;
            }
            MappedFile.delete(directory.control());
            return MappedFile.create(directory, temporary, length);
        }
    }

    /** Bytes that {@link #create} takes of the file system. */
    public static long fileLength(final int counters, final int errorLogLength)
    {
        return BitUtil.align(length(counters, errorLogLength), Mapping.PAGE_SIZE);
    }

    /**
     * Opens the file of the last driver that was ready, dead or alive.
     *
     * @param writable whether application counters are to be written.
     * @throws ControlException MISSING, NO_PERMISSION, CORRUPT, or WRONG_VERSION naming both versions.
     */
    public static ControlFile open(final GannetDirectory directory, final boolean writable)
    {
        final Path path = directory.control();
        final MappedFile mapped = MappedFile.open(path, HEADER_LENGTH, writable);
        final UnsafeBuffer buffer = mapped.buffer();
        // Pairs with create(), whose renaming orders as well.
        final long magic = buffer.getLongVolatile(MAGIC);
        final int layoutVersion = buffer.getInt(LAYOUT_VERSION);
        final int counters = buffer.getInt(COUNTERS);
        final int errorLogLength = buffer.getInt(ERROR_LOG_LENGTH);
        if (magic == CONTROL_MAGIC && layoutVersion == DriverLayout.VERSION &&
            isPlausible(counters, errorLogLength) && length(counters, errorLogLength) <= mapped.length())
        {
            return new ControlFile(path, mapped, counters, errorLogLength);
        }
        mapped.unmap();
        if (magic == CONTROL_MAGIC && layoutVersion != DriverLayout.VERSION)
        {
            throw DriverFile.wrongVersion(path, layoutVersion);
        }
        throw new ControlException(Reason.CORRUPT, path + " is not a control file, or is cut short");
    }

    private static boolean isPlausible(final int counters, final int errorLogLength)
    {
        return counters >= 1 && counters <= MAX_COUNTERS &&
            errorLogLength >= 4096 && errorLogLength <= MAX_ERROR_LOG_LENGTH && (errorLogLength & 7) == 0;
    }

    private static long length(final int counters, final int errorLogLength)
    {
        return HEADER_LENGTH + (long) counters * (METADATA_LENGTH + COUNTER_LENGTH) + errorLogLength;
    }

    /** The driver whose file this is. */
    public DriverInfo driver()
    {
        return DriverInfo.read(mapped.buffer());
    }

    /** Counters that fit. */
    public int maxCounters()
    {
        return values.capacity() / COUNTER_LENGTH;
    }

    /** Labels and values, for anybody. */
    public CountersReader countersReader()
    {
        return new CountersReader(labels, values, UTF_8);
    }

    /**
     * The driver's: allocates counters. One per file; ids are used again after a second, by the monotonic clock: by one
     * that may be set back by a day, none of those that are free would be used again for a day.
     */
    public CountersManager countersManager()
    {
        return new CountersManager(
            labels, values, UTF_8, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), COUNTER_REUSE_MILLIS);
    }

    /** The driver's: records errors. One per file. */
    public DistinctErrorLog errorLog(final EpochClock clock)
    {
        return new DistinctErrorLog(errors, clock, UTF_8);
    }

    /** For Agrona's {@code ErrorLogReader}. */
    public UnsafeBuffer errorLogBuffer()
    {
        return errors;
    }

    /** Values, for a client that writes its counters. */
    public UnsafeBuffer valuesBuffer()
    {
        return values;
    }

    /** The driver's: what somebody else has written over what clients and tools find their way by; null for nothing. */
    public String problem()
    {
        final UnsafeBuffer buffer = mapped.buffer();
        return buffer.getLongOpaque(MAGIC) == CONTROL_MAGIC && buffer.getInt(LAYOUT_VERSION) == DriverLayout.VERSION &&
            buffer.getLongOpaque(EPOCH) == epoch && buffer.getInt(COUNTERS) == counters &&
            buffer.getInt(ERROR_LOG_LENGTH) == errors.capacity() ?
            null : path + " was written to by something else than this driver";
    }

    /** Whether all of it is still there; not, if somebody has truncated it. A system call. */
    public boolean isWhole()
    {
        return mapped.isWhole();
    }

    /** Bytes of the file. */
    public int length()
    {
        return mapped.length();
    }

    /**
     * The driver's, when nobody allocates counters or records errors any more: gives back the memory of counters and
     * errors that there never were. Whoever reads the file finds the same in it.
     */
    public void trim()
    {
        int used = 0;
        while (used < counters && labels.getIntVolatile(used * METADATA_LENGTH) != CountersReader.RECORD_UNUSED)
        {
            used++;
        }
        int end = 0;
        while (end < errors.capacity() && errors.getIntVolatile(end + DistinctErrorLog.LENGTH_OFFSET) > 0)
        {
            end += BitUtil.align(
                errors.getInt(end + DistinctErrorLog.LENGTH_OFFSET), DistinctErrorLog.RECORD_ALIGNMENT);
        }
        release(labels, used * METADATA_LENGTH);
        release(values, used * COUNTER_LENGTH);
        release(errors, Math.min(end, errors.capacity()));
    }

    /** All pages but that of the first free byte, which readers look at: to look takes a page. */
    private void release(final UnsafeBuffer part, final int used)
    {
        final long start = part.addressOffset() - mapped.address();
        final long first = BitUtil.align(start + used + 1, Mapping.PAGE_SIZE);
        final long end = start + part.capacity() & -Mapping.PAGE_SIZE;
        mapped.file().release(first, Math.max(0, end - first));
    }

    @Override
    public void close()
    {
        mapped.retire();
    }
}
