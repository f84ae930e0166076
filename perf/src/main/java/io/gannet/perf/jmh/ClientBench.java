package io.gannet.perf.jmh;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
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
 * The public API over an embedded driver, in one thread: what {@link RingBench} measures, and what the client adds.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class ClientBench
{
    private static final int BATCH = RingBench.BATCH;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Driver, client, and one publication of each kind with its subscription.
     */
    @State(Scope.Thread)
    public static class Streams
    {
        /** Payload bytes. */
        @Param({"96", "1024"})
        public int size;

        final UnsafeBuffer source = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4096, 64));
        final BufferClaim claim = BufferClaim.allocate();
        ExclusivePublication exclusive;
        Publication concurrent;
        Subscription ofExclusive;
        Subscription ofConcurrent;
        private Path directory;
        private MediaDriver driver;
        private Gannet gannet;
        private long sum;
        private final FragmentHandler reading = (buffer, offset, length, header) -> sum += buffer.getLong(offset);

        /** Starts and connects. */
        @Setup
        public void open() throws IOException
        {
            directory = Files.isDirectory(SHARED_MEMORY) ? Files.createTempDirectory(SHARED_MEMORY, "gannet-jmh-") :
                Files.createTempDirectory("gannet-jmh-");
            driver = MediaDriver.launch(DriverConfiguration.defaults()
                .withFlag(DriverOptions.DIRECTORY, directory.toString())
                .withFlag(DriverOptions.THREADING, "shared"));
            gannet = Gannet.connect(new Gannet.Context().directory(directory).name("jmh"));
            ofExclusive = gannet.addSubscription("gannet:ipc", 1);
            ofConcurrent = gannet.addSubscription("gannet:ipc", 2);
            exclusive = gannet.addExclusivePublication("gannet:ipc?ring=4m", 1);
            concurrent = gannet.addPublication("gannet:ipc?ring=4m", 2);
            final long begun = System.nanoTime();
            while (!exclusive.isConnected() || !concurrent.isConnected() || !ofExclusive.isConnected() ||
                !ofConcurrent.isConnected())
            {
                if (System.nanoTime() - begun > PATIENCE_NANOS)
                {
                    throw new IllegalStateException("not connected after 60 s");
                }
                Thread.onSpinWait();
            }
        }

        /** Ends all of it. */
        @TearDown
        public void close()
        {
            gannet.close();
            driver.close();
            IoUtil.delete(directory.toFile(), true);
        }

        final long drain(final Subscription subscription)
        {
            int polled = 0;
            while (polled < BATCH)
            {
                polled += subscription.poll(reading, BATCH);
            }
            return sum;
        }

        final int pollEmpty()
        {
            return ofExclusive.poll(reading, BATCH);
        }
    }

    /**
     * The exclusive stream is emptied after each invocation.
     */
    public static class ExclusiveEmptied extends Streams
    {
        /** Reads what was written. */
        @TearDown(Level.Invocation)
        public void drain()
        {
            drain(ofExclusive);
        }
    }

    /**
     * The concurrent stream is emptied after each invocation.
     */
    public static class ConcurrentEmptied extends Streams
    {
        /** Reads what was written. */
        @TearDown(Level.Invocation)
        public void drain()
        {
            drain(ofConcurrent);
        }
    }

    /**
     * The exclusive stream is filled before each invocation.
     */
    public static class Filled extends Streams
    {
        /** Writes what will be read. */
        @Setup(Level.Invocation)
        public void fill()
        {
            for (int i = 0; i < BATCH; i++)
            {
                RingBench.check(exclusive.offer(source, 0, size));
            }
        }
    }

    /** {@link ExclusivePublication#offer}. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void offerExclusive(final ExclusiveEmptied state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            RingBench.check(state.exclusive.offer(state.source, 0, state.size));
        }
    }

    /** {@link ExclusivePublication#tryClaim} and commit, nothing written. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void claimExclusive(final ExclusiveEmptied state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            RingBench.check(state.exclusive.tryClaim(state.size, state.claim));
            state.claim.commit();
        }
    }

    /** {@link Publication#offer}. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void offerConcurrent(final ConcurrentEmptied state)
    {
        for (int i = 0; i < BATCH; i++)
        {
            RingBench.check(state.concurrent.offer(state.source, 0, state.size));
        }
    }

    /** One message of a {@link Subscription#poll} that finds {@value RingBench#BATCH}; its first word is read. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long poll(final Filled state)
    {
        return state.drain(state.ofExclusive);
    }

    /** A {@link Subscription#poll} that finds nothing. */
    @Benchmark
    public int pollEmpty(final Streams state)
    {
        return state.pollEmpty();
    }
}
