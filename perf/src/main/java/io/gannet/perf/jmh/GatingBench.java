package io.gannet.perf.jmh;

import io.gannet.ring.FrameHandler;
import io.gannet.ring.GatingList;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a producer does when it reaches its limit, and a subscriber when nothing has come. The lines are in the thread's
 * own cache: from another processor's they cost more, each.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class GatingBench
{
    private static final int CAPACITY = 64 * 1024;

    @Param({"1", "8", "64"})
    private int subscribers;

    private long sum;
    private final FrameHandler reading = (buffer, offset, length, position) -> sum += length;
    private Ring ring;
    private RingReader reader;
    private GatingMinimum gating;

    /** A ring and its subscribers. */
    @Setup
    public void open()
    {
        ring = RingFile.createAnonymous(new RingDescription(RingKind.EXCLUSIVE, CAPACITY));
        final Membership membership = new Membership(ring);
        for (int i = 0; i < subscribers; i++)
        {
            reader = new RingReader(ring, membership.join(GatingList.Kind.LOCAL, 1, i + 1L), false);
        }
        gating = new GatingMinimum(ring);
    }

    /** Frees the memory. */
    @TearDown
    public void close()
    {
        ring.close();
        ring.free();
    }

    /** A full fence and a look at all entries. */
    @Benchmark
    public long refresh()
    {
        return gating.refresh(0);
    }

    /** A poll that finds nothing. */
    @Benchmark
    public int pollEmpty()
    {
        return reader.poll(reading, 1);
    }
}
