package io.gannet.perf.jmh;

import io.gannet.ring.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What copying a payload into a ring costs, by way of copying.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class MemoryBench
{
    private static final int RING = 1 << 20;
    private static final int MASK = RING - 1;

    @Param({"32", "96", "256", "1024"})
    private int size;

    private final UnsafeBuffer source = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4096, 64));
    private final UnsafeBuffer ring = new UnsafeBuffer(BufferUtil.allocateDirectAligned(RING + 4096, 64));
    private final MemorySegment everything = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private int offset;

    /** Touches every page. */
    @Setup
    public void touch()
    {
        ring.setMemory(0, ring.capacity(), (byte) 0);
        source.setMemory(0, source.capacity(), (byte) 1);
    }

    private int next()
    {
        offset = offset + size + 32 & MASK;
        return offset;
    }

    /** As the ring does. */
    @Benchmark
    public void nativeMemory()
    {
        NativeMemory.INSTANCE.copy(source.addressOffset(), ring.addressOffset() + next(), size);
    }

    /** As Aeron does. */
    @Benchmark
    public void agronaPutBytes()
    {
        ring.putBytes(next(), source, 0, size);
    }

    /** By the segment that spans all memory. */
    @Benchmark
    public void everythingSegment()
    {
        MemorySegment.copy(everything, source.addressOffset(), everything, ring.addressOffset() + next(), size);
    }
}
