package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/** On which processors the calling thread runs. */
public final class Affinity
{
    private static final int MASK_BYTES = 128;

    private Affinity()
    {
    }

    /**
     * Binds the calling thread to one processor.
     *
     * @param processor from 0, as the kernel numbers them.
     * @throws OsException if there is no such processor or it isn't this process's to use.
     */
    public static void bindTo(final int processor)
    {
        final BitSet set = new BitSet();
        set.set(processor);
        set(set);
    }

    /** Binds the calling thread to a set of processors. */
    public static void set(final BitSet processors)
    {
        if (processors.isEmpty() || processors.length() > MASK_BYTES * 8)
        {
            throw new IllegalArgumentException(
                "processors " + processors + ": name at least one, each from 0 to " + (MASK_BYTES * 8 - 1));
        }
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment mask = arena.allocate(MASK_BYTES, 8);
            processors.stream().forEach(processor ->
            {
                final long word = processor / 64 * 8L;
                mask.set(ValueLayout.JAVA_LONG, word, mask.get(ValueLayout.JAVA_LONG, word) | 1L << (processor & 63));
            });
            OsException.check(
                Syscall.call(SyscallNumber.SCHED_SETAFFINITY, 0, MASK_BYTES, mask.address()),
                "bind a thread to processors " + processors, "This process may use " + get());
        }
    }

    /** Processors that the calling thread may use. */
    public static BitSet get()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment mask = arena.allocate(MASK_BYTES, 8);
            OsException.check(
                Syscall.call(SyscallNumber.SCHED_GETAFFINITY, 0, MASK_BYTES, mask.address()),
                "ask for a thread's processors");
            return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG));
        }
    }
}
