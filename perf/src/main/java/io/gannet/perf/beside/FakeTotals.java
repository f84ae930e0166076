package io.gannet.perf.beside;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * What the fake device counted, all its queues together.
 */
final class FakeTotals
{
    static final int POSTS = 0;
    static final int REQUESTS = 1;
    static final int INLINE = 2;
    static final int SIGNALED = 3;
    static final int WORK_REQUEST_BYTES = 4;
    static final int PAYLOAD_BYTES = 5;
    static final int POLLS = 6;
    static final int EMPTY_POLLS = 7;
    static final int COMPLETIONS = 8;

    /** How many there are. */
    static final int COUNT = 9;

    private FakeTotals()
    {
    }

    /** {@return the totals by the indexes above; all 0 on another device} */
    static long[] read()
    {
        final long[] result = new long[COUNT];
        try (Arena arena = Arena.ofConfined())
        {
            final Optional<MemorySegment> function =
                SymbolLookup.libraryLookup("libibverbs.so.1", Arena.global()).find("gannet_fake_totals");
            if (function.isPresent())
            {
                final MemorySegment totals = arena.allocate(ValueLayout.JAVA_LONG, COUNT);
                Linker.nativeLinker().downcallHandle(function.get(), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
                    .invokeExact(totals);
                MemorySegment.copy(totals, ValueLayout.JAVA_LONG, 0, result, 0, COUNT);
            }
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException("cannot read what the fake device counted", e);
        }
        return result;
    }
}
