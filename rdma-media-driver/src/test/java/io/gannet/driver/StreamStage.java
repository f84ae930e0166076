package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Header;
import io.gannet.Publication;
import io.gannet.Subscription;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Publications that a thread offers to and subscriptions that a thread each polls; a test makes them, their clients and
 * drivers come and go, stop and go on, and damages frames. A {@link StreamAccount} for each subscription.
 */
final class StreamStage implements AutoCloseable
{
    private static final int MOST = 4;
    private static final int CAPACITY = 64 * 1024;
    private static final int KEPT = 64;
    private static final int LONGEST = 300;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Map<Subscription, StreamAccount> accounts = new ConcurrentHashMap<>();
    private final List<Writer> writers = new CopyOnWriteArrayList<>();
    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    private final List<Seat> seats = new ArrayList<>();
    private final Runnable restart;
    private final Set<Integer> harmed = new HashSet<>();
    /** Offers that were tried: time, as far as this test knows one. */
    private final AtomicLong offers = new AtomicLong();
    private final Object publishing = new Object();
    private final Thread publisher = new Thread(this::publish, "publisher");
    private volatile boolean over;

    /** What may happen next. */
    enum Deed
    {
        SUBSCRIBE, UNSUBSCRIBE, PUBLISH, UNPUBLISH, STAND, DAMAGE, REPLACE_CLIENT, RESTART_DRIVER
    }

    /**
     * A client after the other, of one driver.
     */
    private final class Seat
    {
        private final Path directory;
        private final boolean publishes;
        private Gannet client;

        Seat(final Path directory, final boolean publishes)
        {
            this.directory = directory;
            this.publishes = publishes;
            client = connect(directory);
        }
    }

    /** A publication, and where its latest frames begin. */
    private static final class Writer
    {
        private final Gannet client;
        private final Publication publication;
        private final long[] frames = new long[KEPT];
        private long count;

        Writer(final Gannet client, final Publication publication)
        {
            this.client = client;
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
        private final Gannet client;
        private final Subscription subscription;
        private final StreamAccount account;
        private final Thread thread = new Thread(this::run, "reader");
        private volatile boolean stands;

        Reader(final Gannet client, final Subscription subscription)
        {
            this.client = client;
            this.subscription = subscription;
            account = account(subscription);
            thread.start();
        }

        private void run()
        {
            while (!over && !subscription.isClosed())
            {
                if (stands || subscription.poll(this::onMessage, 10) == 0)
                {
                    Thread.onSpinWait();
                }
            }
        }

        private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
        {
            if (buffer.getLong(offset) * MIX != buffer.getLong(offset + length - Long.BYTES))
            {
                faults.add("a message of another's bytes at " + header.position());
            }
            final long end = header.position();
            account.message(header.sessionId(), end - FrameHeader.step(length), end);
        }
    }

    /**
     * @param restart ends one of the drivers and starts another in its place; null if none is.
     */
    StreamStage(final Runnable restart)
    {
        this.restart = restart;
        publisher.start();
    }

    /** Adds a client of a driver, for subscriptions or for publications. */
    void add(final Path directory, final boolean publishes)
    {
        seats.add(new Seat(directory, publishes));
    }

    private StreamAccount account(final Subscription subscription)
    {
        return accounts.computeIfAbsent(subscription, key -> new StreamAccount());
    }

    private Gannet connect(final Path directory)
    {
        return Gannet.connect(new Gannet.Context().directory(directory)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)
            .errorHandler(failure -> told.add(String.valueOf(failure.getMessage())))
            .availableImageHandler(image ->
                account(image.subscription()).joined(image.sessionId(), image.joinPosition()))
            .gapHandler((subscription, session, from, to) -> account(subscription).gap(session, from, to)));
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

    /** Waits until the publisher has tried to offer to all so many times more. */
    void awaitOffers(final int count)
    {
        final long until = offers.get() + count;
        Await.until("offers", () -> offers.get() >= until);
    }

    /** Does it, if it can be done now, and says what it was. */
    String act(final Deed deed, final Random random, final String channel, final int stream)
    {
        return switch (deed)
        {
            case SUBSCRIBE -> readers.size() < MOST ? subscribe(one(random, false), channel, stream) : "";
            case PUBLISH -> writers.size() < MOST ? publish(one(random, true), channel, stream, random.nextBoolean()) :
                "";
            case UNSUBSCRIBE -> readers.isEmpty() ? "" : unsubscribe(readers.remove(random.nextInt(readers.size())));
            case UNPUBLISH -> writers.isEmpty() ? "" : unpublish(writers.remove(random.nextInt(writers.size())));
            case STAND -> readers.isEmpty() ? "" : stand(readers.get(random.nextInt(readers.size())));
            case DAMAGE -> writers.isEmpty() ? "" : damage(random, writers.get(random.nextInt(writers.size())));
            case REPLACE_CLIENT -> replace(seats.get(random.nextInt(seats.size())));
            case RESTART_DRIVER -> restart();
        };
    }

    private Gannet one(final Random random, final boolean publishes)
    {
        final List<Seat> some = seats.stream().filter(seat -> seat.publishes == publishes).toList();
        return some.get(random.nextInt(some.size())).client;
    }

    private String subscribe(final Gannet client, final String channel, final int stream)
    {
        readers.add(new Reader(client, client.addSubscription(channel, stream)));
        return "subscribe " + stream;
    }

    private static String unsubscribe(final Reader reader)
    {
        reader.subscription.close();
        return "unsubscribe " + reader.subscription.streamId();
    }

    private String publish(final Gannet client, final String channel, final int stream, final boolean exclusive)
    {
        final Publication publication = exclusive ? client.addExclusivePublication(channel, stream) :
            client.addPublication(channel, stream);
        synchronized (publishing)
        {
            writers.add(new Writer(client, publication));
        }
        return "publish " + stream + " by " + publication.sessionId();
    }

    private String replace(final Seat seat)
    {
        seat.client.close();
        writers.removeIf(writer -> writer.client.equals(seat.client));
        readers.removeIf(reader -> reader.client.equals(seat.client));
        seat.client = connect(seat.directory);
        return "replace a client";
    }

    private String restart()
    {
        restart.run();
        return "restart";
    }

    /** Also while the other thread is in an offer. */
    private static String unpublish(final Writer writer)
    {
        writer.publication.close();
        return "unpublish " + writer.publication.sessionId();
    }

    private static String stand(final Reader reader)
    {
        reader.stands ^= true;
        return (reader.stands ? "stand " : "go on ") + reader.subscription.streamId();
    }

    /** Of a publication's ring, or of an image of it. No length is less than 0. */
    private String damage(final Random random, final Writer writer)
    {
        synchronized (publishing)
        {
            if (writer.count < KEPT || writer.publication.isClosed())
            {
                return "";
            }
            final int session = writer.publication.sessionId();
            final long frame = writer.frames[random.nextInt(KEPT)];
            final Path rings = seats.get(random.nextInt(seats.size())).directory.resolve("rings");
            TestDirectory.list(rings).stream().filter(file -> file.endsWith(".ring")).map(rings::resolve)
                .filter(file -> session(file) == session).findFirst().ifPresent(file ->
                {
                    harmed.add(session);
                    write(file, RingLayout.HEADER_LENGTH + (frame & (CAPACITY - 1)), -1);
                });
            return "damage " + session + " at " + frame + " in " + rings;
        }
    }

    private static void write(final Path ring, final long offset, final int value)
    {
        final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).putInt(0, value);
        try (FileChannel channel = FileChannel.open(ring, StandardOpenOption.WRITE))
        {
            channel.write(word, offset);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    private static int session(final Path ring)
    {
        final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(ring, StandardOpenOption.READ))
        {
            channel.read(word, RingLayout.SESSION_ID_OFFSET);
            return word.getInt(0);
        }
        catch (final IOException gone)
        {
            return 0;
        }
    }

    /** Each stream gets one more of each; all go on, until each reader has all of what is still published. */
    void awaitAll(final Random random, final IntFunction<String> channel, final int... streams)
    {
        for (final int stream : streams)
        {
            publish(one(random, true), channel.apply(stream), stream, true);
            subscribe(one(random, false), channel.apply(stream), stream);
        }
        readers.forEach(reader -> reader.stands = false);
        awaitOffers(1000);
        synchronized (publishing)
        {
            for (final Reader reader : readers)
            {
                Await.until("all of " + reader.subscription + " to come", () -> isComplete(reader));
            }
        }
    }

    private boolean isComplete(final Reader reader)
    {
        for (final Writer writer : writers)
        {
            final Publication publication = writer.publication;
            // Damage may be found late: then the publication ends.
            assertThat(publication.isClosed() && !harmed.contains(publication.sessionId()))
                .as("end of %s, to which nothing was done", publication).isFalse();
            if (!publication.isClosed() && publication.streamId() == reader.subscription.streamId() &&
                !reader.account.isCompleteTo(publication.sessionId(), publication.position()))
            {
                return false;
            }
        }
        return true;
    }

    /** What clients were told of errors. */
    List<String> told()
    {
        return told;
    }

    /** Messages that are none. */
    List<String> faults()
    {
        return faults;
    }

    @Override
    public void close()
    {
        over = true;
        final List<Thread> threads = new ArrayList<>(List.of(publisher));
        readers.forEach(reader -> threads.add(reader.thread));
        threads.forEach(thread -> Await.until("the end of " + thread, () -> !thread.isAlive()));
        seats.forEach(seat -> seat.client.close());
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        readers.forEach(reader -> text.append('\n').append(reader.subscription).append(": ")
            .append(reader.account));
        writers.forEach(writer -> text.append('\n').append(writer.publication).append(" at ")
            .append(writer.publication.position()));
        return text.append("\ntold ").append(told).toString();
    }
}
