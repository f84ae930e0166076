package io.gannet.perf.jmh;

import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameClaim;
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
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of a ring's operations in one thread, without any line crossing between processors: batches of
 * {@value #BATCH} messages are written and then read, {@code offer} and {@code claim} include the poll that frees the
 * ring, {@code poll} is what to subtract.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 8, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class RingBench
{
    private static final int BATCH = 256;
    private static final int CAPACITY = 4 << 20;

    @Param({"32", "96", "256", "1024"})
    private int size;

    private final UnsafeBuffer source = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4096, 64));
    private final FrameClaim claim = new FrameClaim();
    private long sum;
    private final FrameHandler reading = (buffer, offset, length, position) -> sum += buffer.getLong(offset);
    private Ring exclusiveRing;
    private Ring concurrentRing;
    private ExclusiveProducer exclusive;
    private ConcurrentProducer concurrent;
    private RingReader exclusiveReader;
    private RingReader concurrentReader;
    private GatingMinimum gating;

    /** Two rings with one reader each. */
    @Setup
    public void open()
    {
        exclusiveRing = RingFile.createAnonymous(new RingDescription(RingKind.EXCLUSIVE, CAPACITY));
        concurrentRing = RingFile.createAnonymous(new RingDescription(RingKind.CONCURRENT, CAPACITY));
        exclusiveReader = new RingReader(exclusiveRing, join(exclusiveRing), false);
        concurrentReader = new RingReader(concurrentRing, join(concurrentRing), false);
        exclusive = new ExclusiveProducer(exclusiveRing, Bell.FUTEX_WAKER);
        concurrent = new ConcurrentProducer(concurrentRing, 1, Bell.FUTEX_WAKER);
        gating = new GatingMinimum(exclusiveRing);
    }

    /** Frees the memory. */
    @TearDown
    public void close()
    {
        exclusiveRing.close();
        exclusiveRing.free();
        concurrentRing.close();
        concurrentRing.free();
    }

    /** Exclusive offer and poll. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long offerExclusive()
    {
        for (int i = 0; i < BATCH; i++)
        {
            check(exclusive.offer(source, 0, size));
        }
        return drain(exclusiveReader);
    }

    /** Exclusive claim, first word stored, commit, and poll. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long claimExclusive()
    {
        for (int i = 0; i < BATCH; i++)
        {
            check(exclusive.tryClaim(size, claim));
            claim.commit();
        }
        return drain(exclusiveReader);
    }

    /** Concurrent offer and poll. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long offerConcurrent()
    {
        for (int i = 0; i < BATCH; i++)
        {
            check(concurrent.offer(source, 0, size));
        }
        return drain(concurrentReader);
    }

    /** A poll that finds nothing. */
    @Benchmark
    public int pollEmpty()
    {
        return exclusiveReader.poll(reading, BATCH);
    }

    /** A look at the gating list with one subscriber. */
    @Benchmark
    public long refreshGating()
    {
        return gating.refresh(exclusive.position());
    }

    private long drain(final RingReader reader)
    {
        int polled = 0;
        while (polled < BATCH)
        {
            polled += reader.poll(reading, BATCH);
        }
        return sum;
    }

    private static int join(final Ring ring)
    {
        return new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
    }

    private static void check(final long result)
    {
        if (result < 0)
        {
            throw new IllegalStateException("offer refused: " + result);
        }
    }
}
