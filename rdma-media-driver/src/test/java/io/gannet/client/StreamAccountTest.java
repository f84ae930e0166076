package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Publications and subscriptions come and go, readers stop for a while and are cut off, and frames are damaged, all
 * in the middle of polls and offers: a subscription that is there at the end has each position of each stream since it
 * joined, once, as a message or as a gap that it was told of, and goes on. More:
 * {@code -Dgannet.account.seeds=N -Dgannet.account.seed=FIRST}.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class StreamAccountTest
{
    private static final int SEEDS = Integer.getInteger("gannet.account.seeds", 6);
    private static final long FIRST_SEED = Long.getLong("gannet.account.seed", 1);
    private static final int STEPS = 120;
    private static final int MOST = 4;
    private static final int CAPACITY = 64 * 1024;
    private static final int[] STREAMS = {1, 2};
    private static final int KEPT = 64;
    private static final int LONGEST = 300;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final Path directory = TestDirectory.create("account");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Map<Subscription, StreamAccount> accounts = new ConcurrentHashMap<>();
    private final List<Writer> writers = new CopyOnWriteArrayList<>();
    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    /** Offers that were tried: time, as far as this test knows one. */
    private final AtomicLong offers = new AtomicLong();
    private final Object publishing = new Object();
    private volatile boolean over;

    static LongStream seeds()
    {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    /** Even streams wait for the slowest reader, odd ones cut it off. */
    private static String channel(final int stream)
    {
        return "gannet:ipc?ring=64k" + (stream % 2 == 1 ? "|slow=drop" : "");
    }

    /** A publication, and where its latest frames begin. */
    private static final class Writer
    {
        private final Publication publication;
        private final long[] frames = new long[KEPT];
        private long count;

        Writer(final Publication publication)
        {
            this.publication = publication;
        }

        private void offer(final UnsafeBuffer buffer, final int length)
        {
            buffer.putLong(0, count);
            buffer.putLong(length - Long.BYTES, count * MIX);
            final long end = publication.offer(buffer, 0, length);
            if (end > 0)
            {
                frames[(int) (count++ % KEPT)] = end - FrameHeader.step(length);
            }
        }
    }

    /** A subscription with a thread of its own. */
    private final class Reader
    {
        private final Subscription subscription;
        private final Thread thread = new Thread(this::run, "reader");
        private volatile boolean stands;

        Reader(final Subscription subscription)
        {
            this.subscription = subscription;
            thread.start();
        }

        private StreamAccount account()
        {
            return accounts.computeIfAbsent(subscription, key -> new StreamAccount());
        }

        private void run()
        {
            final StreamAccount account = account();
            while (!over && !subscription.isClosed())
            {
                final int taken = stands ? 0 : subscription.poll((buffer, offset, length, header) ->
                {
                    if (buffer.getLong(offset) * MIX != buffer.getLong(offset + length - Long.BYTES))
                    {
                        faults.add("a message of another's bytes at " + header.position());
                    }
                    final long end = header.position();
                    account.message(header.sessionId(), end - FrameHeader.step(length), end);
                }, 10);
                if (taken == 0)
                {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(directory)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)
            .errorHandler(failure -> told.add(String.valueOf(failure.getMessage())))
            .availableImageHandler(image -> accounts.computeIfAbsent(image.subscription(), key -> new StreamAccount())
                .joined(image.sessionId(), image.joinPosition()))
            .gapHandler((subscription, session, from, to) ->
                accounts.computeIfAbsent(subscription, key -> new StreamAccount()).gap(session, from, to)));
    }

    private void publish()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONGEST]);
        final Random random = new Random(7);
        while (!over)
        {
            synchronized (publishing)
            {
                for (final Writer writer : writers)
                {
                    writer.offer(buffer, 2 * Long.BYTES + random.nextInt(LONGEST - 2 * Long.BYTES));
                }
            }
            offers.incrementAndGet();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachPositionComesOrIsToldToBeLost(final long seed) throws InterruptedException
    {
        final Random random = new Random(seed);
        final List<String> steps = new ArrayList<>();
        try (MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.THREADING, ThreadingMode.SHARED), log::add);
            Gannet first = connect(); Gannet second = connect())
        {
            assertThat(driver).isNotNull();
            final Thread publisher = new Thread(this::publish, "publisher");
            publisher.start();
            try
            {
                for (int i = 0; i < STEPS; i++)
                {
                    steps.add(step(random, random.nextBoolean() ? first : second));
                    final long until = offers.get() + random.nextInt(200);
                    Await.until("offers", () -> offers.get() >= until);
                }
                readers.forEach(reader -> reader.stands = false);
                synchronized (publishing)
                {
                    writers.removeIf(writer -> writer.publication.isClosed());
                }
                finish(first);
            }
            finally
            {
                over = true;
                publisher.join();
                for (final Reader reader : readers)
                {
                    reader.thread.join();
                }
            }
        }
        catch (final AssertionError failure)
        {
            throw new AssertionError("seed " + seed + ": " + failure.getMessage() + "\nsteps " + steps +
                "\ntold " + told + "\nlog " + log, failure);
        }
        finally
        {
            TestDirectory.remove(directory);
        }
        assertThat(faults).isEmpty();
        assertThat(told).allMatch(text -> text.contains("can't read the stream") || text.contains("damaged"));
    }

    private void finish(final Gannet client)
    {
        // The damage may be found late: then a publication ends, and another takes its place.
        for (final int stream : STREAMS)
        {
            add(client.addExclusivePublication(channel(stream), stream));
            readers.add(new Reader(client.addSubscription(channel(stream), stream)));
        }
        synchronized (publishing)
        {
            for (final Reader reader : readers)
            {
                Await.until("all of " + reader.subscription + ": " + reader.account(), () -> isComplete(reader));
            }
        }
    }

    private boolean isComplete(final Reader reader)
    {
        for (final Writer writer : writers)
        {
            final Publication publication = writer.publication;
            if (!publication.isClosed() && publication.streamId() == reader.subscription.streamId() &&
                !reader.account().isCompleteTo(publication.sessionId(), publication.position()))
            {
                return false;
            }
        }
        return true;
    }

    private void add(final Publication publication)
    {
        synchronized (publishing)
        {
            writers.add(new Writer(publication));
        }
    }

    private String step(final Random random, final Gannet client)
    {
        final int stream = STREAMS[random.nextInt(STREAMS.length)];
        final int kind = random.nextInt(10);
        if (kind < 2)
        {
            if (readers.size() < MOST)
            {
                readers.add(new Reader(client.addSubscription(channel(stream), stream)));
            }
            return "subscribe " + stream;
        }
        if (kind == 2 && !readers.isEmpty())
        {
            final Reader reader = readers.remove(random.nextInt(readers.size()));
            reader.subscription.close();
            return "unsubscribe";
        }
        if (kind < 5)
        {
            if (writers.size() < MOST)
            {
                add(random.nextBoolean() ? client.addExclusivePublication(channel(stream), stream) :
                    client.addPublication(channel(stream), stream));
            }
            return "add publication " + stream;
        }
        if (kind == 5 && !writers.isEmpty())
        {
            // Also while the other thread is in an offer.
            final Writer writer = writers.remove(random.nextInt(writers.size()));
            writer.publication.close();
            return "close publication " + writer.publication.sessionId();
        }
        if (kind < 8 && !readers.isEmpty())
        {
            final Reader reader = readers.get(random.nextInt(readers.size()));
            reader.stands ^= true;
            return reader.stands ? "stand" : "go on";
        }
        return writers.isEmpty() ? "" : damage(random, writers.get(random.nextInt(writers.size())));
    }

    /** No length is less than 0. */
    private String damage(final Random random, final Writer writer)
    {
        synchronized (publishing)
        {
            if (writer.count < KEPT || writer.publication.isClosed())
            {
                return "";
            }
            final long frame = writer.frames[random.nextInt(KEPT)];
            final String name = TestDirectory.list(directory.resolve("rings")).stream()
                .filter(file -> file.endsWith(".ring")).filter(file -> session(file) == writer.publication.sessionId())
                .findFirst().orElse(null);
            if (name != null)
            {
                write(name, RingLayout.HEADER_LENGTH + (frame & (CAPACITY - 1)), -1);
            }
            return "damage " + writer.publication.sessionId() + " at " + frame;
        }
    }

    private int session(final String ring)
    {
        final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(directory.resolve("rings").resolve(ring), StandardOpenOption.READ))
        {
            channel.read(word, RingLayout.SESSION_ID_OFFSET);
            return word.getInt(0);
        }
        catch (final IOException gone)
        {
            return 0;
        }
    }

    private void write(final String ring, final long offset, final int value)
    {
        final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(0, value);
        try (FileChannel channel = FileChannel.open(directory.resolve("rings").resolve(ring), StandardOpenOption.WRITE))
        {
            channel.write(word, offset);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }
}
