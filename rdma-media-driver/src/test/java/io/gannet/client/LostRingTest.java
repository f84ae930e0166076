package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.BufferClaim;
import io.gannet.DriverListener;
import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Image;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A ring is cut or overwritten while its clients are in the middle of it: they get what the interface says of a ring
 * that is lost, and nothing else of theirs is touched.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class LostRingTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int STREAM = 1;
    private static final int NEIGHBOUR = 2;
    private static final int LENGTH = 100;
    /** So that what is run all the time is compiled. */
    private static final int WARM_UP = 50_000;

    private static final int MANY = RingLayout.COARSE_INTERVAL * 3 / 2 / LENGTH;

    private final Path directory = TestDirectory.create("lost");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> news = new CopyOnWriteArrayList<>();
    private final List<long[]> gaps = new CopyOnWriteArrayList<>();
    private final List<Image> gone = new CopyOnWriteArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private volatile Runnable whenTold = () -> { };
    private MediaDriver driver;

    @BeforeEach
    void launch()
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.THREADING, ThreadingMode.SHARED), log::add);
    }

    @AfterEach
    void close()
    {
        driver.close();
        TestDirectory.remove(directory);
    }

    private Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(directory).driverTimeout(60, TimeUnit.SECONDS)
            .errorHandler(failure ->
            {
                told.add(String.valueOf(failure.getMessage()));
                whenTold.run();
            })
            .unavailableImageHandler(gone::add)
            .gapHandler((subscription, session, from, to) -> gaps.add(new long[]{from, to}))
            .driverListener(new DriverListener()
            {
                @Override
                public void onDriverLost(final String detail)
                {
                    news.add("lost");
                }
            }));
    }

    private Path ring()
    {
        return Await.value("the ring's file", () -> TestDirectory.list(directory.resolve("rings")).stream()
            .filter(name -> name.endsWith(".ring")).findFirst()
            .map(name -> directory.resolve("rings").resolve(name)).orElse(null));
    }

    private static void truncate(final Path file, final long length)
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.truncate(length);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    private static void noise(final Path file, final long offset, final int length)
    {
        final byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(bytes), offset);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    /** Loops on a thread of its own until it is told to stop, and keeps what is thrown. */
    private static final class Loop implements AutoCloseable
    {
        private final AtomicReference<Throwable> thrown = new AtomicReference<>();
        private final Thread thread;
        private volatile boolean stop;
        private final AtomicLong turns = new AtomicLong();

        Loop(final Runnable step)
        {
            thread = new Thread(() ->
            {
                try
                {
                    while (!stop)
                    {
                        step.run();
                        turns.incrementAndGet();
                    }
                }
                catch (final Throwable problem)
                {
                    thrown.set(problem);
                }
            });
            thread.start();
        }

        void warmUp(final int count)
        {
            Await.until("turns", () -> turns.get() > count || thrown.get() != null);
        }

        @Override
        public void close()
        {
            stop = true;
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
            if (thrown.get() != null)
            {
                throw new AssertionError("thrown at the application: " + thrown.get() + " at " +
                    List.of(thrown.get().getStackTrace()), thrown.get());
            }
        }
    }

    /** What an application does with a publication. */
    enum Use
    {
        OFFER, CLAIM, LOOK;

        void on(final Publication publication, final UnsafeBuffer message, final BufferClaim claim)
        {
            switch (this)
            {
                case OFFER -> publication.offer(message, 0, LENGTH);
                case CLAIM ->
                {
                    if (publication.tryClaim(LENGTH, claim) > 0)
                    {
                        claim.commit();
                    }
                }
                case LOOK ->
                {
                    publication.isConnected();
                    publication.position();
                    publication.availableWindow();
                    publication.slowestSubscriber();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OFFER, true, 0", "OFFER, false, 0", "CLAIM, true, 0", "CLAIM, false, 0", "LOOK, true, 0", "LOOK, false, 0",
        "OFFER, true, 65536", "OFFER, false, 69632"})
    void theUsersOfARingThatIsCutAreToldAsOfALostOne(final Use use, final boolean exclusive, final long length)
    {
        try (Gannet client = connect(); Gannet other = connect();
            Subscription subscription = other.addSubscription(CHANNEL, STREAM);
            Publication publication = exclusive ?
                client.addExclusivePublication(CHANNEL, STREAM) : client.addPublication(CHANNEL, STREAM);
            Subscription neighbour = other.addSubscription(CHANNEL, NEIGHBOUR))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            final Path ring = ring();
            try (Publication untouched = client.addPublication(CHANNEL, NEIGHBOUR))
            {
                EmbeddedDriver.awaitConnected(untouched, neighbour);
                final BufferClaim claim = BufferClaim.allocate();
                try (Loop polls = new Loop(() -> subscription.poll((buffer, offset, bytes, header) -> { }, 10));
                    Loop uses = new Loop(() -> use.on(publication, message, claim)))
                {
                    polls.warmUp(WARM_UP);
                    uses.warmUp(WARM_UP);
                    truncate(ring, length);
                    Await.until("the publication's end", () -> publication.isClosed() && !told.isEmpty());
                    Await.until("the image's end", () -> !subscription.isConnected());
                }
                assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(Publication.CLOSED);
                assertThat(told).singleElement().asString().contains("stream " + STREAM).contains("up to position ");
                pass(untouched, neighbour, 3_000);
            }
        }
        assertThat(news).isEmpty();
        // Not that a conductor was held up, nor anything else.
        assertThat(told).hasSize(1);
        assertThat(log).singleElement().asString().contains("truncated");
    }

    private void pass(final Publication publication, final Subscription subscription, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertThat(publication.offer(message, 0, LENGTH)).isPositive();
            assertThat(subscription.poll((buffer, offset, length, header) -> { }, 10)).isEqualTo(1);
        }
    }

    @Test
    void whoWaitsForMessagesOfARingThatIsCutWaitsOn()
    {
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription(CHANNEL, STREAM);
            Publication publication = client.addPublication(CHANNEL, STREAM))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            try (Loop waits = new Loop(() -> subscription.awaitMessage(1, TimeUnit.MILLISECONDS)))
            {
                waits.warmUp(10);
                truncate(ring(), 0);
                Await.until("the image's end", () -> !subscription.isConnected() && publication.isClosed());
            }
        }
        assertThat(news).isEmpty();
    }

    @Test
    void anImageWhoseFramesAreNoiseEndsOnceAndComesAnewBehindThem()
    {
        try (Gannet client = connect(); Gannet other = connect();
            Subscription subscription = other.addSubscription(CHANNEL, STREAM);
            Subscription reader = client.addSubscription(CHANNEL, STREAM);
            ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM);
            ExclusivePublication neighbour = client.addExclusivePublication(CHANNEL, STREAM))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            EmbeddedDriver.awaitConnected(publication, reader);
            Await.until("both images", () -> subscription.imageCount() == 2 && reader.imageCount() == 2);
            final Image image = subscription.imageBySessionId(publication.sessionId());
            // More than a coarse interval, so that whoever joins begins behind what is to be damaged.
            for (int i = 0; i < MANY; i++)
            {
                assertThat(publication.offer(message, 0, LENGTH)).isPositive();
                assertThat(neighbour.offer(message, 0, LENGTH)).isPositive();
            }
            final List<Integer> sessions = new ArrayList<>();
            Await.until("messages", () ->
            {
                subscription.poll((buffer, offset, length, header) -> sessions.add(header.sessionId()), 1);
                return sessions.contains(publication.sessionId());
            });
            final long position = image.position();
            final Path ring = directory.resolve("rings").resolve(fileOf(publication));
            readToEnd(reader, publication);
            noise(ring, RingLayout.HEADER_LENGTH + position, 4 * 128);
            // The image may end before its neighbour has been read to its end.
            Await.until("the image's end and all of the neighbour's messages", () ->
            {
                subscription.poll((buffer, offset, length, header) -> sessions.add(header.sessionId()), 100);
                return gone.contains(image) && Collections.frequency(sessions, neighbour.sessionId()) >= MANY;
            });
            assertThat(told).singleElement().asString().contains("stream " + STREAM)
                .contains("behind position " + position);
            assertThat(image.isClosed()).isTrue();
            assertThat(image.isEndOfStream()).isFalse();
            assertThat(sessions).filteredOn(session -> session == neighbour.sessionId()).hasSize(MANY);
            Await.until("the image anew", () -> subscription.imageBySessionId(publication.sessionId()) != null);
            final Image next = subscription.imageBySessionId(publication.sessionId());
            assertThat(next.joinPosition()).isEqualTo(publication.position());
            assertThat(gaps).singleElement().isEqualTo(new long[]{position, next.joinPosition()});
            assertThat(publication.offer(message, 0, LENGTH)).isPositive();
            final List<Integer> behind = new ArrayList<>();
            Await.until("the message behind", () ->
                subscription.poll((buffer, offset, length, header) -> behind.add(header.sessionId()), 10) > 0);
            assertThat(behind).containsExactly(publication.sessionId());
            assertThat(told).hasSize(1);
            assertThat(log).isEmpty();
        }
    }

    @Test
    void anImageThatIsDamagedWhileItsSubscriptionIsInAPollComesAnew()
    {
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription(CHANNEL, STREAM);
            Subscription reader = client.addSubscription(CHANNEL, STREAM);
            ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM);
            ExclusivePublication neighbour = client.addExclusivePublication(CHANNEL, STREAM))
        {
            Await.until("all images", () -> subscription.imageCount() == 2 && reader.imageCount() == 2);
            final Image image = subscription.imageBySessionId(publication.sessionId());
            final AtomicBoolean damaged = new AtomicBoolean();
            final AtomicBoolean inside = new AtomicBoolean();
            // The conductor takes the image out when it has told of the damage: not before the next poll has begun.
            whenTold = () ->
            {
                damaged.set(true);
                Await.until("a poll", inside::get);
            };
            for (int i = 0; i < MANY; i++)
            {
                assertThat(publication.offer(message, 0, LENGTH)).isPositive();
            }
            Await.until("the first message", () ->
                subscription.poll((buffer, offset, length, header) -> { }, 1) == 1);
            final long position = image.position();
            readToEnd(reader, publication);
            final Path ring = directory.resolve("rings").resolve(fileOf(publication));
            noise(ring, RingLayout.HEADER_LENGTH + position, 4 * 128);
            Await.until("a poll that goes on while the image ends", () ->
            {
                if (damaged.get())
                {
                    neighbour.offer(message, 0, LENGTH);
                }
                subscription.poll((buffer, offset, length, header) ->
                {
                    inside.set(true);
                    Await.until("the image's end", () -> gone.contains(image));
                }, 10);
                return inside.get();
            });
            Await.until("the image anew", () -> subscription.imageBySessionId(publication.sessionId()) != null);
        }
    }

    /** Before damage is done, as else the driver would find it when somebody joins. */
    private static void readToEnd(final Subscription reader, final ExclusivePublication publication)
    {
        Await.until("the other reader", () ->
        {
            reader.poll((buffer, offset, length, header) -> { }, 100);
            return reader.imageBySessionId(publication.sessionId()).position() == publication.position();
        });
    }

    private String fileOf(final Publication publication)
    {
        return TestDirectory.list(directory.resolve("rings")).stream().filter(name -> name.endsWith(".ring"))
            .filter(name -> session(directory.resolve("rings").resolve(name)) == publication.sessionId())
            .findFirst().orElseThrow();
    }

    private static int session(final Path ring)
    {
        final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(java.nio.ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(ring, StandardOpenOption.READ))
        {
            channel.read(word, RingLayout.SESSION_ID_OFFSET);
            return word.getInt(0);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noiseInAHeaderIsNoEndOfTheStreamAndItsGapIsTold(final boolean exclusive)
    {
        try (Gannet client = connect(); Gannet other = connect();
            Subscription subscription = other.addSubscription(CHANNEL, STREAM);
            Publication publication = exclusive ?
                client.addExclusivePublication(CHANNEL, STREAM) : client.addPublication(CHANNEL, STREAM))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            for (int i = 0; i < 60; i++)
            {
                assertThat(publication.offer(message, 0, LENGTH)).isPositive();
            }
            final long end = publication.position();
            Await.until("some", () -> subscription.poll((buffer, offset, length, header) -> { }, 10) > 0);
            final Image image = subscription.images().getFirst();
            final long position = image.position();
            noise(ring(), 0, RingLayout.ENTRIES_OFFSET);
            while (gone.isEmpty())
            {
                assertThat(image.endOfStreamPosition()).isIn(Long.MAX_VALUE, position);
                assertThat(image.isEndOfStream()).isFalse();
            }
            Await.until("the gap", () -> !gaps.isEmpty());
            assertThat(gaps).singleElement().isEqualTo(new long[]{position, end});
            assertThat(image.endOfStreamPosition()).isEqualTo(position);
            assertThat(image.isEndOfStream()).isFalse();
            Await.until("the publisher to be told", () -> !told.isEmpty());
            assertThat(told).singleElement().asString().contains("damaged").contains("up to position " + end);
        }
    }
}
