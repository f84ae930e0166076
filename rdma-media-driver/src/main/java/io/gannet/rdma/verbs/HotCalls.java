package io.gannet.rdma.verbs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The verbs of the data path: inline functions in C that call through {@code ibv_context.ops}. Each provider gets a
 * class of its own, in which its functions are constants, so that compiled code calls them as C would. With one NIC
 * that class is the only one, and these methods are not looked up either.
 *
 * <p>A critical call saves the change of the thread's state (about 1 ns of 4 on a poll, 5 ns of 14 on a post), but no
 * safepoint is reached before it returns. It is for providers that stay in user space and never wait, see
 * {@link Provider#isBounded}.
 */
abstract class HotCalls
{
    private static final FunctionDescriptor POLL = FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor POST = FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor NOTIFY =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);
    private static final Map<List<Long>, HotCalls> KNOWN = new ConcurrentHashMap<>();

    /** Calls of a provider's functions. */
    static HotCalls of(
        final MemorySegment pollCq,
        final MemorySegment postSend,
        final MemorySegment postRecv,
        final MemorySegment reqNotifyCq)
    {
        return KNOWN.computeIfAbsent(
            List.of(pollCq.address(), postSend.address(), postRecv.address(), reqNotifyCq.address()),
            key -> define(List.of(
                handle(pollCq, POLL), handle(pollCq, POLL, CRITICAL),
                handle(postSend, POST), handle(postSend, POST, CRITICAL),
                handle(postRecv, POST), handle(postRecv, POST, CRITICAL),
                handle(reqNotifyCq, NOTIFY))));
    }

    private static MethodHandle handle(
        final MemorySegment target, final FunctionDescriptor shape, final Linker.Option... options)
    {
        return Linker.nativeLinker().downcallHandle(target, shape, options);
    }

    private static HotCalls define(final List<MethodHandle> handles)
    {
        try (InputStream template = HotCalls.class.getResourceAsStream("BoundCalls.class"))
        {
            final MethodHandles.Lookup made = MethodHandles.lookup()
                .defineHiddenClassWithClassData(template.readAllBytes(), handles, true);
            return (HotCalls) made.findConstructor(made.lookupClass(), MethodType.methodType(void.class)).invoke();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final Throwable e)
        {
            throw unexpected(e);
        }
    }

    abstract int poll(boolean critical, long queue, int count, long completions);

    abstract int postSend(boolean critical, long queuePair, long first, long bad);

    abstract int postReceive(boolean critical, long queuePair, long first, long bad);

    /** Never critical: some providers enter the kernel. */
    abstract int requestNotification(long queue);

    static IllegalStateException unexpected(final Throwable problem)
    {
        if (problem instanceof Error error)
        {
            throw error;
        }
        return new IllegalStateException(problem);
    }
}
