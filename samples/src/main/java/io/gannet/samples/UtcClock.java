package io.gannet.samples;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The kernel's CLOCK_REALTIME in nanoseconds since the epoch, read without allocation. All processes of a host read the
 * same clock, so that a latency between two of them has no error of synchronisation. It jumps when it is set: for
 * intervals there is {@link System#nanoTime()}. Each thread needs its own. Tests have clocks that they set.
 */
public class UtcClock
{
    private static final int CLOCK_REALTIME = 0;
    private static final MethodHandle CLOCK_GETTIME;

    static
    {
        final Linker linker = Linker.nativeLinker();
        // Answered in user space (vDSO) within some 30 ns, hence critical.
        CLOCK_GETTIME = linker.downcallHandle(
            linker.defaultLookup().findOrThrow("clock_gettime"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS),
            Linker.Option.critical(false));
    }

    private final MemorySegment timespec = Arena.ofAuto().allocate(16, 8);

    /** Nanoseconds since the epoch. */
    public long nanos()
    {
        final int result;
        try
        {
            result = (int) CLOCK_GETTIME.invokeExact(CLOCK_REALTIME, timespec);
        }
        catch (final RuntimeException | Error problem)
        {
            throw problem;
        }
        catch (final Throwable problem)
        {
            throw new IllegalStateException(problem);
        }
        if (result != 0)
        {
            throw new IllegalStateException("clock_gettime(CLOCK_REALTIME) failed");
        }
        return timespec.get(ValueLayout.JAVA_LONG, 0) * 1_000_000_000L + timespec.get(ValueLayout.JAVA_LONG, 8);
    }
}
