package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An eventfd(2): a counter that poll(2) finds readable while it is not zero. {@link #signal} and {@link #drain} may be
 * called by different threads, each by one.
 */
public final class EventCounter implements AutoCloseable
{
    private static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | 0x800;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
    private final MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
    private final int descriptor;
    private boolean open = true;

    /** Makes a counter at zero. */
    public EventCounter()
    {
        descriptor = (int) OsException.check(
            Syscall.call(SyscallNumber.EVENTFD2, 0, EFD_CLOEXEC_NONBLOCK, 0), "make an eventfd");
    }

    /** The file descriptor, for poll(2). */
    public int descriptor()
    {
        return descriptor;
    }

    /** Adds one. */
    public void signal()
    {
        Syscall.plain(SyscallNumber.WRITE, descriptor, one.address(), Long.BYTES, 0, 0, 0);
    }

    /** Sets the counter to zero and returns what it was. */
    public long drain()
    {
        final long read = Syscall.plain(SyscallNumber.READ, descriptor, value.address(), Long.BYTES, 0, 0, 0);
        return read == Long.BYTES ? value.get(ValueLayout.JAVA_LONG, 0) : 0;
    }

    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            Syscall.call(SyscallNumber.CLOSE, descriptor, 0, 0);
            arena.close();
        }
    }
}
