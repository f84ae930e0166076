package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.errors.OperatorError;
import io.gannet.os.Descriptors;
import io.gannet.os.FileSystem;

/**
 * Room for rings: what the configuration allows and what the directory's file system has. Checked before anything is
 * made, so that a shortage is an error with numbers and not a ring that ends in a fault. Owned by the conductor.
 */
final class RingBudget
{
    /** For clients, sockets, and what the JVM opens by itself. */
    private static final int DESCRIPTORS_KEPT = 64;
    /** As the launcher has it, of which Java can't say anything by itself when there are even fewer. */
    private static final int LEAST_DESCRIPTORS = 128;
    /** A ring takes one; the rest is for what else may be opened meanwhile. */
    private static final int SHARE_OF_REST = 16;
    private static final long SMALL_FILE_SYSTEM = 1L << 30;
    private static final long DEFAULT_CAPACITY = 16L << 20;
    /** Also between hosts: ring and image stay in a processor's cache, and fit into 8 MiB of locked memory each. */
    private static final long SMALL_CAPACITY = 4L << 20;

    private final RingStorage storage;
    private final int descriptorLimit = Descriptors.limit();
    private final long keptFree;
    private final long limit;
    private final int maxRings;
    private final long configuredCapacity;
    private int open;
    private int ringsUncounted;
    private int ringsToRecount;
    private long used;
    private int rings;

    /**
     * @param keptFree bytes that rings must leave to the driver that comes next.
     */
    RingBudget(final DriverConfiguration configuration, final RingStorage storage, final long keptFree)
    {
        this.storage = storage;
        this.keptFree = keptFree;
        limit = configuration.get(DriverOptions.MEMORY_LIMIT);
        maxRings = configuration.get(DriverOptions.MAX_RINGS);
        configuredCapacity = configuration.get(DriverOptions.RING_CAPACITY);
    }

    /**
     * With fewer a driver starts and then has none for a ring: about 38 are open with the software NIC.
     *
     * @param limit of open files of this process.
     * @throws DriverException if there are too few.
     */
    static void checkDescriptors(final int limit)
    {
        if (limit < LEAST_DESCRIPTORS)
        {
            throw new DriverException(OperatorError.DESCRIPTORS, "only " + limit + " open files are allowed, and " +
                LEAST_DESCRIPTORS + " are the least: ulimit -n 1024, or LimitNOFILE= in the unit");
        }
    }

    /** Data bytes of a ring whose channel does not say. */
    int defaultCapacity(final Channel.Media media)
    {
        if (configuredCapacity != 0)
        {
            return (int) configuredCapacity;
        }
        if (media == Channel.Media.RDMA)
        {
            return (int) SMALL_CAPACITY;
        }
        final long total = FileSystem.of(storage.files()).totalBytes();
        return (int) (total != 0 && total < SMALL_FILE_SYSTEM ? SMALL_CAPACITY : DEFAULT_CAPACITY);
    }

    /**
     * Takes room for a ring file of {@code bytes}.
     *
     * @return null, or why there is none: needed, available and the remedy.
     */
    RefusedException take(final long bytes)
    {
        if (rings >= maxRings)
        {
            return RefusedException.limit("there are " + rings + " rings, the limit is " + maxRings +
                ": close publications or raise " + DriverOptions.MAX_RINGS);
        }
        if (limit != 0 && used + bytes > limit)
        {
            return RefusedException.limit("a ring of " + bytes + " bytes does not fit: " + used + " of " + limit +
                " bytes are used: close publications, choose smaller rings (ring=) or raise " +
                DriverOptions.MEMORY_LIMIT);
        }
        if (ringsUncounted >= ringsToRecount)
        {
            countDescriptors();
        }
        if (open > descriptorLimit - DESCRIPTORS_KEPT)
        {
            ringsUncounted = ringsToRecount;
            return RefusedException.limit("no file descriptor for another ring: " + open + " of " + descriptorLimit +
                " are open, and " + DESCRIPTORS_KEPT + " are kept for clients: close publications, or raise the " +
                "driver's limit: ulimit -n, or LimitNOFILE= in the unit");
        }
        final String shortage = storage.shortage(bytes, keptFree);
        if (shortage != null)
        {
            return RefusedException.storage("a ring of " + bytes + " bytes does not fit: " + shortage);
        }
        ringsUncounted++;
        account(bytes);
        return null;
    }

    /** {@return why the memory of rings has no room for so many bytes, or null} */
    String shortage(final long bytes)
    {
        return storage.shortage(bytes, keptFree);
    }

    /**
     * Counts what is open, which takes the longer the more there is, and when to do so again: long before rings, or
     * whatever else opens some, can have used up what is left.
     */
    private void countDescriptors()
    {
        open = Descriptors.open();
        ringsUncounted = 0;
        ringsToRecount = Math.max(0, descriptorLimit - DESCRIPTORS_KEPT - open) / SHARE_OF_REST;
    }

    /** Accounts for a ring that is there already. */
    void account(final long bytes)
    {
        used += bytes;
        rings++;
    }

    /** Gives the room of a ring back. */
    void release(final long bytes)
    {
        used -= bytes;
        rings--;
    }

    long used()
    {
        return used;
    }

    int rings()
    {
        return rings;
    }
}
