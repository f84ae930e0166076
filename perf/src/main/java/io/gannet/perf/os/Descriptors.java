package io.gannet.perf.os;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * System calls on descriptors that Java has no class for: tunnels, packet sockets, namespaces.
 */
public final class Descriptors
{
    /** Opens for reading and writing, without blocking. */
    public static final int READ_WRITE_NONBLOCK = 2 | 0x800;
    /** Opens for reading. */
    public static final int READ = 0;
    /** Class of namespaces: network. */
    public static final int NEW_NETWORK = 0x4000_0000;

    private static final MethodHandle OPEN = intHandle("open", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    private static final MethodHandle CLOSE = intHandle("close", ValueLayout.JAVA_INT);
    private static final MethodHandle IOCTL =
        intHandle("ioctl", ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    private static final MethodHandle SETNS = intHandle("setns", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle SOCKET =
        intHandle("socket", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle POLL =
        intHandle("poll", ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
    private static final MethodHandle READ_CALL = longHandle("read");
    private static final MethodHandle WRITE_CALL = longHandle("write");

    private Descriptors()
    {
    }

    /** Opens a file; throws if that fails. */
    public static int open(final String path, final int flags)
    {
        try (Arena arena = Arena.ofConfined())
        {
            return check((int) OPEN.invokeExact(arena.allocateFrom(path), flags), "open " + path);
        }
        catch (final Throwable e)
        {
            throw failure("open", e);
        }
    }

    /** Closes a descriptor. */
    public static void close(final int descriptor)
    {
        try
        {
            final int _ = (int) CLOSE.invokeExact(descriptor);
        }
        catch (final Throwable e)
        {
            throw failure("close", e);
        }
    }

    /** Device control; throws if it is refused. */
    public static void control(final int descriptor, final long request, final MemorySegment argument)
    {
        try
        {
            check((int) IOCTL.invokeExact(descriptor, request, argument), "control a device");
        }
        catch (final Throwable e)
        {
            throw failure("ioctl", e);
        }
    }

    /** Moves the calling thread into a namespace. */
    public static void enter(final int namespace, final int type)
    {
        try
        {
            check((int) SETNS.invokeExact(namespace, type), "enter a namespace");
        }
        catch (final Throwable e)
        {
            throw failure("setns", e);
        }
    }

    /** Makes a socket; throws if it is refused. */
    public static int socket(final int family, final int type, final int protocol)
    {
        try
        {
            return check((int) SOCKET.invokeExact(family, type, protocol), "make a socket");
        }
        catch (final Throwable e)
        {
            throw failure("socket", e);
        }
    }

    /** Waits until one of some descriptors, as an array of struct pollfd, is ready; how many are. */
    public static int poll(final MemorySegment descriptors, final int count, final int timeoutMillis)
    {
        try
        {
            return (int) POLL.invokeExact(descriptors, (long) count, timeoutMillis);
        }
        catch (final Throwable e)
        {
            throw failure("poll", e);
        }
    }

    /** Reads; negative if there is nothing. */
    public static long read(final int descriptor, final MemorySegment target, final long most)
    {
        try
        {
            return (long) READ_CALL.invokeExact(descriptor, target, most);
        }
        catch (final Throwable e)
        {
            throw failure("read", e);
        }
    }

    /** Writes; negative if that is not possible. */
    public static long write(final int descriptor, final MemorySegment source, final long length)
    {
        try
        {
            return (long) WRITE_CALL.invokeExact(descriptor, source, length);
        }
        catch (final Throwable e)
        {
            throw failure("write", e);
        }
    }

    private static int check(final int result, final String what)
    {
        if (result < 0)
        {
            throw new IllegalStateException("the kernel refuses to " + what + "; this needs root");
        }
        return result;
    }

    private static RuntimeException failure(final String call, final Throwable cause)
    {
        return cause instanceof final RuntimeException known ? known : new IllegalStateException(call, cause);
    }

    private static MethodHandle intHandle(final String name, final java.lang.foreign.MemoryLayout... arguments)
    {
        final Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    private static MethodHandle longHandle(final String name)
    {
        final Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }
}
