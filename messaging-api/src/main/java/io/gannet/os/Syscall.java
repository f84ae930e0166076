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
 * kernel's convention, so a failure is the negated errno. Thread-safe.
 * <p>
 * To learn errno makes 40 bytes of garbage (the linker slices the segment that takes it) wherever C2 hasn't compiled
 * the caller, and a thread that mostly sleeps is never compiled. Calls in the steady state of such a thread are made
 * without it: {@link #repeatable}, {@link #plain}. These allocate nothing after the first few hundred calls of a JVM.
 */
public final class Syscall
{
    private static final VarHandle ERRNO =
        Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SYSCALL;
    private static final MethodHandle WITHOUT_ERRNO;
    private static final ThreadLocal<MemorySegment> STATE = ThreadLocal.withInitial(
        () -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    static
    {
        final Linker linker = Linker.nativeLinker();
        final ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        final MemorySegment function = linker.defaultLookup().findOrThrow("syscall");
        final FunctionDescriptor shape = FunctionDescriptor.of(word, word, word, word, word, word, word, word);
        SYSCALL = linker.downcallHandle(function, shape, Linker.Option.captureCallState("errno"));
        WITHOUT_ERRNO = linker.downcallHandle(function, shape);
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

    /** As {@link #call(long, long, long, long, long, long, long)}, but any failure is -1. */
    static long plain(
        final long number, final long a, final long b, final long c, final long d, final long e, final long f)
    {
        try
        {
            return (long) WITHOUT_ERRNO.invokeExact(number, a, b, c, d, e, f);
        }
        catch (final RuntimeException | Error problem)
        {
            throw problem;
        }
        catch (final Throwable problem)
        {
            throw new IllegalStateException(problem);
        }
    }

    /**
     * As {@link #call(long, long, long, long)}, for calls that do no harm when they are made twice: one that fails is
     * made again, to learn why, so that one that succeeds makes no garbage.
     */
    static long repeatable(final long number, final long a, final long b, final long c)
    {
        final long result = plain(number, a, b, c, 0, 0, 0);
        return result == -1 ? call(number, a, b, c) : result;
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
