package io.gannet.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's pool of huge pages of one size. Pages of several NUMA nodes count together.
 *
 * @param pageSize bytes.
 * @param total    pages that the pool has.
 * @param free     pages that nobody has, but for those reserved.
 */
public record HugePages(long pageSize, long total, long free)
{
    private static final Path POOLS = Path.of("/sys/kernel/mm/hugepages");

    /** {@return the pool of that page size; an empty one if the kernel has none} */
    public static HugePages of(final long pageSize)
    {
        return of(POOLS, pageSize);
    }

    static HugePages of(final Path pools, final long pageSize)
    {
        final Path pool = pools.resolve("hugepages-" + pageSize / 1024 + "kB");
        final long reserved = number(pool.resolve("resv_hugepages"));
        return new HugePages(pageSize, number(pool.resolve("nr_hugepages")),
            Math.max(0, number(pool.resolve("free_hugepages")) - reserved));
    }

    private static long number(final Path file)
    {
        try
        {
            return Long.parseLong(Files.readString(file).trim());
        }
        catch (final IOException | NumberFormatException none)
        {
            return 0;
        }
    }

    /** {@return pages that so many bytes take} */
    public long pages(final long bytes)
    {
        return (bytes + pageSize - 1) / pageSize;
    }

    /** {@return needed, available and the remedy, for bytes that do not fit} */
    public String explain(final long bytes)
    {
        return bytes + " bytes take " + pages(bytes) + " huge pages of " + pageSize + " bytes, " + free + " of " +
            total +
            " are free. Raise the pool: sysctl vm.nr_hugepages=" + (total - free + pages(bytes)) +
            " (for pages of another size than the default: " + POOLS + "), or choose smaller rings (ring=)";
    }
}
