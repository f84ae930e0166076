package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RingThreadsTest
{
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop()
    {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource({"65536,false", "65536,true", "1048576,true"})
    void movesMessagesBetweenThreadsThroughAFileMappedByEach(final int capacity, final boolean streaming)
        throws Exception
    {
        final Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-ring-test-");
        final Path path = directory.resolve("ring");
        try (TestRing writer =
            new TestRing(RingFile.create(path, new RingDescription(RingKind.EXCLUSIVE, capacity)));
            TestRing other = new TestRing(RingFile.attach(path, RingFile.Access.READ)))
        {
            final RingReader reader = new RingReader(other.ring, writer.join(), streaming);
            final ExclusiveProducer producer = writer.exclusiveProducer();
            final int count = 300_000;
            final Future<?> sent = threads.submit(() -> send(producer, i -> i < count));
            receive(reader, count);
            sent.get();
        }
        finally
        {
            remove(directory, path);
        }
    }

    private static void remove(final Path directory, final Path path) throws IOException
    {
        Files.deleteIfExists(path);
        Files.delete(directory);
    }

    private static int lengthOf(final long number)
    {
        return 24 + (int) (number * 13 % 500);
    }

    /** Sends as long as the number of the next message is one that is wanted; returns how many that were. */
    private static long send(final ExclusiveProducer producer, final LongPredicate wanted)
    {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[1024]);
        long i = 0;
        for (; wanted.test(i); i++)
        {
            final int length = lengthOf(i);
            source.putLong(0, i);
            source.putLong(length - 8, ~i);
            while (producer.offer(source, 0, length) < 0)
            {
                YieldingIdleStrategy.INSTANCE.idle();
            }
        }
        return i;
    }

    private static void receive(final RingReader reader, final int count)
    {
        final Check check = new Check();
        while (check.next < count)
        {
            if (reader.poll(check, 50) == 0)
            {
                YieldingIdleStrategy.INSTANCE.idle();
            }
        }
        assertThat(reader.poll(check, 50)).isZero();
    }

    /** Expects every message of one producer in order. */
    private static final class Check implements FrameHandler
    {
        private long next;

        @Override
        public void onFrame(final UnsafeBuffer buffer, final int offset, final int length, final long position)
        {
            if (buffer.getLong(offset) != next || length != lengthOf(next) ||
                buffer.getLong(offset + length - 8) != ~next)
            {
                throw new AssertionError("expected " + next + " at " + position + " and got " +
                    buffer.getLong(offset) + " of " + length + " bytes");
            }
            next++;
        }
    }

    @Test
    void letsReadersComeAndGoWhileMessagesFlow() throws Exception
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, 1 << 18))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            final RingReader constant = test.reader();
            final AtomicInteger runs = new AtomicInteger();
            final AtomicBoolean done = new AtomicBoolean();
            final Future<?> joined = threads.submit(() -> joinAndLeave(test, runs, done));
            // On, however long it takes, until some have come and gone; or one has failed.
            final Future<Long> sent = threads.submit(() ->
                send(producer, i -> i < 400_000 || (runs.get() < 20 && !joined.isDone())));
            final Check check = new Check();
            while (!sent.isDone() || check.next < sent.get())
            {
                if (constant.poll(check, 50) == 0)
                {
                    YieldingIdleStrategy.INSTANCE.idle();
                }
            }
            done.set(true);
            joined.get();
            assertThat(runs.get()).isGreaterThanOrEqualTo(20);
        }
    }

    /** Each reader must see a run without gaps from wherever it joins. */
    private static void joinAndLeave(final TestRing test, final AtomicInteger runs, final AtomicBoolean done)
    {
        while (!done.get())
        {
            final int entry = test.join();
            final RingReader reader = new RingReader(test.ring, entry, false);
            final long[] expected = {-1, 0};
            for (int i = 0; i < 20; i++)
            {
                final int count = reader.poll(
                    (buffer, offset, length, position) ->
                    {
                        final long number = buffer.getLong(offset);
                        if ((expected[0] >= 0 && number != expected[0]) || length != lengthOf(number) ||
                            buffer.getLong(offset + length - 8) != ~number)
                        {
                            throw new AssertionError("expected " + expected[0] + " and got " + number);
                        }
                        expected[0] = number + 1;
                    },
                    30);
                if (count == 0)
                {
                    YieldingIdleStrategy.INSTANCE.idle();       // or nothing is sent meanwhile on a single processor
                }
            }
            test.membership.leave(entry);
            runs.addAndGet(expected[0] >= 0 ? 1 : 0);
            YieldingIdleStrategy.INSTANCE.idle();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 16, 1 << 20})
    void keepsEachThreadsOrderInAConcurrentRing(final int capacity) throws Exception
    {
        try (TestRing test = new TestRing(RingKind.CONCURRENT, capacity))
        {
            final int count = 60_000;
            final RingReader reader = new RingReader(test.ring, test.join(), true);
            final ConcurrentProducer shared = test.concurrentProducer(TestRing.CLIENT);
            final ConcurrentProducer other = test.concurrentProducer(TestRing.OTHER_CLIENT);
            final List<Future<?>> senders = new ArrayList<>();
            for (int id = 0; id < 4; id++)
            {
                final int self = id;
                senders.add(threads.submit(() -> sendConcurrently(self < 3 ? shared : other, self, count)));
            }
            final long[] next = new long[4];
            final long[] received = new long[1];
            while (received[0] < 4 * count)
            {
                final int polled = reader.poll(
                    (buffer, offset, length, position) ->
                    {
                        final int id = buffer.getInt(offset);
                        final long number = buffer.getLong(offset + 8);
                        if (number != next[id] || length != lengthOf(number) ||
                            buffer.getInt(offset + length - 4) != (int) number)
                        {
                            throw new AssertionError("of " + id + " expected " + next[id] + " and got " + number);
                        }
                        next[id]++;
                    },
                    50);
                received[0] += polled;
                if (polled == 0)
                {
                    YieldingIdleStrategy.INSTANCE.idle();
                }
            }
            for (final Future<?> sender : senders)
            {
                sender.get();
            }
            assertThat(reader.position()).isEqualTo(shared.position());
        }
    }

    private static void sendConcurrently(final ConcurrentProducer producer, final int id, final int count)
    {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[1024]);
        final FrameClaim claim = new FrameClaim();
        for (long i = 0; i < count; i++)
        {
            final int length = lengthOf(i);
            source.putInt(0, id);
            source.putLong(8, i);
            source.putInt(length - 4, (int) i);
            if (i % 3 == 0)
            {
                while (producer.tryClaim(length, claim) < 0)
                {
                    YieldingIdleStrategy.INSTANCE.idle();
                }
                claim.buffer().putBytes(0, source, 0, length);
                claim.commit();
            }
            else
            {
                while (producer.offer(source, 0, length) < 0)
                {
                    YieldingIdleStrategy.INSTANCE.idle();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void survivesACloseInTheMiddleOfOffersAndPolls(final boolean exclusive) throws Exception
    {
        for (int round = 0; round < 30; round++)
        {
            final TestRing test = new TestRing(exclusive ? RingKind.EXCLUSIVE : RingKind.CONCURRENT, 1 << 16);
            final RingReader reader = test.reader();
            final Offer producer = exclusive ? test.exclusiveProducer()::offer :
                test.concurrentProducer(TestRing.CLIENT)::offer;
            final AtomicLong taken = new AtomicLong();
            final Future<?> sent = threads.submit(() ->
            {
                long result;
                do
                {
                    result = producer.offer(test.source, 0, 100);
                }
                while (result != Ring.CLOSED);
            });
            final Future<?> received = threads.submit(() ->
            {
                while (!test.ring.isClosed())
                {
                    taken.addAndGet(reader.poll((buffer, offset, length, position) -> buffer.getLong(offset), 10));
                }
                reader.poll((buffer, offset, length, position) -> buffer.getLong(offset), 10);
            });
            while (taken.get() < 500L * round)
            {
                YieldingIdleStrategy.INSTANCE.idle();
            }
            test.ring.close();
            sent.get();
            received.get();
            test.ring.free();
        }
    }

    /** What both producers have in common. */
    private interface Offer
    {
        long offer(DirectBuffer source, int offset, int length);
    }
}
