package io.gannet;

import io.gannet.os.LateFault;
import io.gannet.ring.Ring;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The rings that this process's clients have mapped, to be asked after a fault whose file was cut: compiled code throws
 * late, so that the thread may be in another ring, or client, by then. A ring that can't be read any more is closed
 * here, and its publications and images find an end; the driver tells their clients. Thread-safe.
 */
final class FaultedRings
{
    /** Another fault of the same ring may come up so long after it was closed, for want of a better bound. */
    private static final long RECENT = TimeUnit.SECONDS.toNanos(5);

    private static final Set<Ring> MAPPED = ConcurrentHashMap.newKeySet();
    private static volatile long closedAt = System.nanoTime() - 2 * RECENT;

    private FaultedRings()
    {
    }

    static void add(final Ring ring)
    {
        MAPPED.add(ring);
    }

    /** Frees a ring, after closing it. */
    static void free(final Ring ring)
    {
        MAPPED.remove(ring);
        ring.close();
        ring.free();
    }

    /** A ring is known to be lost: its users find zeroes, and a fault of theirs is explained. */
    static void close(final Ring ring)
    {
        closedAt = System.nanoTime();
        ring.close();
        LateFault.discard();
    }

    /** Closes what can't be read any more; returns whether there was something. Two system calls per ring. */
    static boolean closeLost()
    {
        boolean found = false;
        for (final Ring ring : MAPPED)
        {
            // The second look, as somebody may have freed it meanwhile.
            if (!ring.isClosed() && !ring.isReadable() && !ring.isClosed())
            {
                close(ring);
                found = true;
            }
        }
        return found;
    }

    /** Whether a fault was that of a ring, which is closed then; the calling thread has no other one pending. */
    static boolean explain()
    {
        LateFault.discard();
        return closeLost() || System.nanoTime() - closedAt < RECENT;
    }

    /** Comes back only if {@link #explain()} says that a ring is to blame; other problems go on their way. */
    static void check(final Throwable problem)
    {
        if (!explain())
        {
            switch (problem)
            {
                case final Error error -> throw error;
                case final RuntimeException exception -> throw exception;
                default -> throw new IllegalStateException(problem);
            }
        }
    }
}
