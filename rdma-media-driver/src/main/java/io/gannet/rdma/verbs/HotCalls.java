package io.gannet.rdma.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The verbs of the data path. They are inline functions in C that call through {@code ibv_context.ops}; here one handle
 * of each shape takes the provider's function as its first argument.
 *
 * <p>A critical call saves the change of the thread's state (about 1 ns of 4 on a poll, 5 ns of 14 on a post), but no
 * safepoint is reached before it returns. It is for providers that stay in user space and never wait, see
 * {@link Provider#isBounded}.
 */
final class HotCalls
{
    private static final FunctionDescriptor POLL = FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor POST = FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor NOTIFY =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle POLL_PLAIN = LINKER.downcallHandle(POLL);
    private static final MethodHandle POLL_CRITICAL = LINKER.downcallHandle(POLL, Linker.Option.critical(false));
    private static final MethodHandle POST_PLAIN = LINKER.downcallHandle(POST);
    private static final MethodHandle POST_CRITICAL = LINKER.downcallHandle(POST, Linker.Option.critical(false));
    private static final MethodHandle NOTIFY_PLAIN = LINKER.downcallHandle(NOTIFY);

    private HotCalls()
    {
    }

    static int poll(
        final boolean critical, final MemorySegment target, final long queue, final int count, final long completions)
    {
        try
        {
            return critical ?
                (int) POLL_CRITICAL.invokeExact(target, queue, count, completions) :
                (int) POLL_PLAIN.invokeExact(target, queue, count, completions);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    /** Of sends and of receives. */
    static int post(
        final boolean critical, final MemorySegment target, final long queuePair, final long first, final long bad)
    {
        try
        {
            return critical ?
                (int) POST_CRITICAL.invokeExact(target, queuePair, first, bad) :
                (int) POST_PLAIN.invokeExact(target, queuePair, first, bad);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    /** Never critical: some providers enter the kernel. */
    static int requestNotification(final MemorySegment target, final long queue)
    {
        try
        {
            return (int) NOTIFY_PLAIN.invokeExact(target, queue, 0);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    private static IllegalStateException unexpected(final Throwable problem)
    {
        if (problem instanceof Error error)
        {
            throw error;
        }
        return new IllegalStateException(problem);
    }
}
