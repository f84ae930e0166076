package io.gannet.rdma.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory this process may pin, and has. Every registration counts, pages that two of them share twice.
 *
 * @param limit  bytes, {@link Long#MAX_VALUE} if unlimited.
 * @param pinned bytes pinned by devices so far.
 * @param exempt whether the process has CAP_IPC_LOCK, to which the limit does not apply (a container's root may have it
 *               without effect).
 */
record LockedMemory(long limit, long pinned, boolean exempt)
{
    private static final int CAP_IPC_LOCK = 14;

    static LockedMemory ofThisProcess()
    {
        return parse(lines("/proc/self/limits"), lines("/proc/self/status"));
    }

    static LockedMemory parse(final List<String> limits, final List<String> status)
    {
        long limit = Long.MAX_VALUE;
        for (final String line : limits)
        {
            if (line.startsWith("Max locked memory"))
            {
                final String soft = line.substring("Max locked memory".length()).trim().split("\\s+", 2)[0];
                limit = "unlimited".equals(soft) ? Long.MAX_VALUE : Long.parseLong(soft);
            }
        }
        long pinned = 0;
        boolean exempt = false;
        for (final String line : status)
        {
            final String value = line.substring(line.indexOf(':') + 1).trim();
            if (line.startsWith("VmPin:"))
            {
                pinned = Long.parseLong(value.split("\\s+", 2)[0]) * 1024;
            }
            else if (line.startsWith("CapEff:"))
            {
                exempt = ((Long.parseUnsignedLong(value, 16) >>> CAP_IPC_LOCK) & 1) != 0;
            }
        }
        return new LockedMemory(limit, pinned, exempt);
    }

    boolean allows(final long bytes)
    {
        return exempt || limit == Long.MAX_VALUE || pinned + bytes <= limit;
    }

    /** {@return needed, available and remedy, to follow "cannot register x"} */
    String explain(final long bytes)
    {
        if (limit == Long.MAX_VALUE)
        {
            return "the locked-memory limit is unlimited, " + pinned + " bytes are pinned: memory itself is short";
        }
        return "the locked-memory limit is " + limit + " bytes, " + pinned + " are pinned and " + bytes +
            " are needed. Raise it: ulimit -l unlimited, LimitMEMLOCK=infinity in the unit, or give the process " +
            "CAP_IPC_LOCK";
    }

    private static List<String> lines(final String file)
    {
        try
        {
            return Files.readAllLines(Path.of(file));
        }
        catch (final IOException e)
        {
            return List.of();
        }
    }
}
