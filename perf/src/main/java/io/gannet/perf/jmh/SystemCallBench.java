package io.gannet.perf.jmh;

import io.gannet.os.Futex;
import io.gannet.os.Membarrier;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * System calls through the foreign-function interface, as the bell makes them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class SystemCallBench
{
    private final UnsafeBuffer word = new UnsafeBuffer(BufferUtil.allocateDirectAligned(128, 128));

    /** What a process does once. */
    @Setup
    public void register()
    {
        Membarrier.register();
    }

    /** A wake where nobody sleeps. */
    @Benchmark
    public int wakeNobody()
    {
        return Futex.wake(word.addressOffset(), 1);
    }

    /** A wait that ends at once, since the word is another. */
    @Benchmark
    public boolean waitForAnotherValue()
    {
        return Futex.await(word.addressOffset(), 1, 1_000_000);
    }

    /** The fence that a sleeper puts into every other thread. */
    @Benchmark
    public void membarrier()
    {
        Membarrier.fence();
    }
}
