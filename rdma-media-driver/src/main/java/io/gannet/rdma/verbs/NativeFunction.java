package io.gannet.rdma.verbs;

import io.gannet.rdma.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A control function of the libraries. One call shape serves all: six words in registers, of which a function reads
 * those that it has, and a word back. Not for the data path.
 */
final class NativeFunction
{
    private static final int MOST_ERRNO = 4095;
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle CALL =
        Linker.nativeLinker().downcallHandle(SHAPE, Linker.Option.captureCallState("errno"));
    private static final MethodHandle WITHOUT_ERRNO = Linker.nativeLinker().downcallHandle(SHAPE);
    private static final VarHandle ERRNO =
        Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private final String name;
    private final MemorySegment target;

    NativeFunction(final String name, final MemorySegment target)
    {
        this.name = name;
        this.target = target;
    }

    /**
     * Calls a function that returns a pointer.
     *
     * @return the pointer, or the negated errno where it is NULL.
     */
    long pointer(final long a, final long b, final long c, final long d, final long e)
    {
        final MemorySegment state = STATE.get();
        final long result = call(state, a, b, c, d, e);
        return result == 0 ? -errno(state) : result;
    }

    long pointer(final long a, final long b)
    {
        return pointer(a, b, 0, 0, 0);
    }

    /**
     * Calls a function that returns an int. The libraries know three ways to say no: -1 with errno (librdmacm), the
     * error number (most verbs), the negated error number (some providers).
     *
     * @return 0, or the positive error number.
     */
    int status(final long a, final long b, final long c, final long d, final long e)
    {
        final MemorySegment state = STATE.get();
        final int result = (int) call(state, a, b, c, d, e);
        return result == 0 ? Errno.OK : result == -1 ? errno(state) : Math.abs(result);
    }

    int status(final long a, final long b, final long c)
    {
        return status(a, b, c, 0, 0);
    }

    int status(final long a)
    {
        return status(a, 0, 0, 0, 0);
    }

    /**
     * Calls a function that says by its result alone whether there was something, often: makes no garbage.
     *
     * @return whether the result was 0.
     */
    boolean succeeds(final long a, final long b, final long c)
    {
        try
        {
            return (int) (long) WITHOUT_ERRNO.invokeExact(target, a, b, c, 0L, 0L, 0L) == 0;
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    private long call(
        final MemorySegment state, final long a, final long b, final long c, final long d, final long e)
    {
        try
        {
            return (long) CALL.invokeExact(target, state, a, b, c, d, e, 0L);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    private static int errno(final MemorySegment state)
    {
        final int errno = (int) ERRNO.get(state, 0L);
        // NULL or -1 without a reason must not read as success
        return errno > 0 && errno <= MOST_ERRNO ? errno : Errno.EIO;
    }

    private static IllegalStateException unexpected(final Throwable problem)
    {
        if (problem instanceof Error error)
        {
            throw error;
        }
        return new IllegalStateException(problem);
    }

    @Override
    public String toString()
    {
        return name;
    }
}
