package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waits until one of some file descriptors is readable, ppoll(2). For one thread; doesn't allocate after the first few
 * hundred waits of a JVM.
 */
public final class DescriptorSet implements AutoCloseable
{
    private static final short POLLIN = 1;
    private static final int ENTRY_LENGTH = 8;
    private static final int EVENTS = 4;
    private static final int RETURNED = 6;
    private static final int TIMESPEC_LENGTH = 16;
    private static final long NANOS = 1_000_000_000L;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment timeout = arena.allocate(TIMESPEC_LENGTH, Long.BYTES);
    private final MemorySegment entries;
    private final int count;

    /**
     * @param descriptors to be waited for, open as long as this is used.
     */
    public DescriptorSet(final int... descriptors)
    {
        count = descriptors.length;
        entries = arena.allocate((long) count * ENTRY_LENGTH, Long.BYTES);
        for (int i = 0; i < count; i++)
        {
            entries.set(ValueLayout.JAVA_INT, (long) i * ENTRY_LENGTH, descriptors[i]);
            entries.set(ValueLayout.JAVA_SHORT, (long) i * ENTRY_LENGTH + EVENTS, POLLIN);
        }
    }

    /**
     * Sleeps until one is readable, at most so long. May return early for no reason.
     *
     * @param timeoutNanos at least 0.
     * @return whether one is readable.
     */
    public boolean await(final long timeoutNanos)
    {
        timeout.set(ValueLayout.JAVA_LONG, 0, timeoutNanos / NANOS);
        timeout.set(ValueLayout.JAVA_LONG, Long.BYTES, timeoutNanos % NANOS);
        return Syscall.plain(SyscallNumber.PPOLL, entries.address(), count, timeout.address(), 0, 0, 0) > 0;
    }

    /** {@return whether the last wait found the descriptor at this index readable, or broken} */
    public boolean isReady(final int index)
    {
        return entries.get(ValueLayout.JAVA_SHORT, (long) index * ENTRY_LENGTH + RETURNED) != 0;
    }

    @Override
    public void close()
    {
        arena.close();
    }
}
