package io.gannet.perf.jmh;

import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHandler;
import io.gannet.ring.GatingList;
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
import org.openjdk.jmh.annotations.Level;
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
 * Cost of a ring's operations in one thread, without any line crossing between processors. Batches of {@value #BATCH}
 * messages are written and read; what is not measured happens between invocations.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class RingBench
{
    static final int BATCH = 256;
    private static final int CAPACITY = 4 << 20;

    /**
     * One ring and its reader.
     */
    @State(Scope.Thread)
    public abstract static class OneRing
    {
        /** Payload bytes. */
        @Param({"32", "96", "256", "1024"})
        public int size;

        final UnsafeBuffer source = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4096, 64));
        final FrameClaim claim = new FrameClaim();
        Ring ring;
        RingReader reader;
        private long sum;
        private final FrameHandler reading = (buffer, offset, length, position) -> sum += buffer.getLong(offset);

        final void open(final RingKind kind)
        {
            ring = RingFile.createAnonymous(new RingDescription(kind, CAPACITY));
            reader = new RingReader(ring, new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1), false);
        }

        /** Frees the memory. */
        @TearDown
        public void close()
        {
            ring.close();
            ring.free();
        }

        final long drain(final int messages)
        {
            int polled = 0;
            while (polled < messages)
            {
                polled += reader.poll(reading, messages);
            }
            return sum;
        }

        final int poll()
        {
            return reader.poll(reading, BATCH);
        }
    }

    /**
     * With a producer for one thread.
     */
    public static class Exclusive extends OneRing
    {
        ExclusiveProducer producer;

        /** Ring and producer. */
        @Setup
        public void open()
        {
            open(RingKind.EXCLUSIVE);
            producer = new ExclusiveProducer(ring, Bell.FUTEX_WAKER);
        }
    }

    /**
     * Emptied after each invocation.
     */
    public static class Emptied extends Exclusive
    {
        /** Reads what was written. */
        @TearDown(Level.Invocation)
        public void drain()
        {
            drain(BATCH);
        }
    }

    /**
     * Filled before each invocation.
     */
    public static class Filled extends Exclusive
    {
        /** Writes what will be read. */
        @Setup(Level.Invocation)
        public void fill()
        {
            for (int i = 0; i < BATCH; i++)
            {
                check(producer.offer(source, 0, size));
            }
        }
    }

    /**
     * With a producer for many threads, emptied after each invocation.
     */
    public static class Concurrent extends OneRing
    {
        ConcurrentProducer producer;

        /** Ring and producer. */
        @Setup
        public void open()
        {
            open(RingKind.CONCURRENT);
            producer = new ConcurrentProducer(ring, 1, Bell.FUTEX_WAKER);
        }

        /** Reads what was written. */
        @TearDown(Level.Invocation)
        public void drain()
        {
            drain(BATCH);
        }
    }

    /** Exclusive: payload copied, committed. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void offerExclusive(final Emptied state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            check(state.producer.offer(state.source, 0, state.size));
        }
    }

    /** Exclusive: claimed and committed, nothing written. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void claimExclusive(final Emptied state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            check(state.producer.tryClaim(state.size, state.claim));
            state.claim.commit();
        }
    }

    /** Concurrent: payload copied, committed. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void offerConcurrent(final Concurrent state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            check(state.producer.offer(state.source, 0, state.size));
        }
    }

    /** Concurrent: claimed and committed, nothing written. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void claimConcurrent(final Concurrent state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            check(state.producer.tryClaim(state.size, state.claim));
            state.claim.commit();
        }
    }

    /** One message of a poll that finds {@value #BATCH}; its first word is read. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long poll(final Filled state)
    {
        return state.drain(BATCH);
    }

    static void check(final long result)
    {
        if (result < 0)
        {
            throw new IllegalStateException("offer refused: " + result);
        }
    }
}
