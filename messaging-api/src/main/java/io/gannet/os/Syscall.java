package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library's {@code syscall(2)} with six long arguments: the one call shape of this package. Results follow the
 * kernel's convention, so a failure is the negated errno. Thread-safe; doesn't allocate after a thread's first call.
 */
public final class Syscall
{
    private static final VarHandle ERRNO =
        Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SYSCALL;
    private static final ThreadLocal<MemorySegment> STATE = ThreadLocal.withInitial(
        () -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    static
    {
        final Linker linker = Linker.nativeLinker();
        final ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        SYSCALL = linker.downcallHandle(
            linker.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(word, word, word, word, word, word, word, word),
            Linker.Option.captureCallState("errno"));
    }

    private Syscall()
    {
    }

    /**
     * Makes a system call. Pointers are passed as addresses; the caller keeps what they point to alive.
     *
     * @param number one of {@link SyscallNumber}.
     * @return the result, or the negated errno.
     */
    public static long call(
        final long number, final long a, final long b, final long c, final long d, final long e, final long f)
    {
        final MemorySegment state = STATE.get();
        final long result;
        try
        {
            result = (long) SYSCALL.invokeExact(state, number, a, b, c, d, e, f);
        }
        catch (final RuntimeException | Error problem)
        {
            throw problem;
        }
        catch (final Throwable problem)
        {
            throw new IllegalStateException(problem);
        }
        return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
    }

    /** As {@link #call(long, long, long, long, long, long, long)} with zeros for the rest. */
    public static long call(final long number, final long a, final long b, final long c)
    {
        return call(number, a, b, c, 0, 0, 0);
    }

    /** As {@link #call(long, long, long, long)}, repeated while a signal interrupts it. */
    static long restarting(final long number, final long a, final long b, final long c)
    {
        long result;
        do
        {
            result = call(number, a, b, c);
        }
        while (result == -Errno.EINTR);
        return result;
    }
}
