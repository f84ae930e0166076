package io.gannet.perf.jmh;

import io.gannet.counters.CounterTypes;
import io.gannet.driver.DutyCycle;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
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
 * What it costs a driver's thread to account for a duty cycle, with the histogram that exporters show and without it;
 * the two looks at the clock beside it are {@link SystemCallBench}'s. Nobody reads the counters meanwhile.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class DutyCycleBench
{
    private static final int COUNTERS = 64;

    @Param({"false", "true"})
    private boolean histogram;

    private DutyCycle cycles;
    private long nanos;

    /** Counters of a driver's kind. */
    @Setup
    public void open()
    {
        final CountersManager manager = new CountersManager(
            new UnsafeBuffer(new byte[COUNTERS * CountersReader.METADATA_LENGTH]),
            new UnsafeBuffer(new byte[COUNTERS * CountersReader.COUNTER_LENGTH]));
        final AtomicCounter[] buckets = new AtomicCounter[histogram ? CounterTypes.CYCLE_BUCKETS : 0];
        for (int i = 0; i < buckets.length; i++)
        {
            buckets[i] = manager.newCounter("bucket");
        }
        cycles = new DutyCycle("bench", manager.newCounter("longest"), manager.newCounter("stalls"),
            manager.newCounter("time"), buckets, Long.MAX_VALUE);
    }

    /** Cycles of 1 to 16 us. */
    @Benchmark
    public void record()
    {
        nanos = nanos + 777 & 0x3FFF;
        cycles.record(nanos);
    }
}
