package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.DriverListener;
import io.gannet.DriverState;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverException;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is done to the files of a running driver or client: one clear line, an end in order, and no crash.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SabotageTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";

    private final Path directory = TestDirectory.create("sabotage");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<Throwable> clientErrors = new CopyOnWriteArrayList<>();
    private final List<String> clientNews = new CopyOnWriteArrayList<>();
    private MediaDriver driver;

    /** What is done, and what the driver's line says of it. */
    enum Deed
    {
        TRUNCATE_DRIVER("driver was truncated to 0 bytes"),
        NOISE_IN_DRIVER("driver was written to by something else than this driver"),
        TRUNCATE_CONTROL("control was truncated to 0 bytes"),
        NOISE_IN_CONTROL("control was written to by something else than this driver"),
        REMOVE_DRIVER("driver was removed"),
        REMOVE_CONTROL("control was removed"),
        REMOVE_BELL("bell was removed"),
        REPLACE_CONTROL("control was replaced by another"),
        REMOVE_CLIENTS("clients was removed"),
        REMOVE_RINGS("rings was removed"),
        MOVE_DIRECTORY(" was removed"),
        REMOVE_DIRECTORY(" was removed");

        private final String words;

        Deed(final String words)
        {
            this.words = words;
        }

        void on(final Path directory)
        {
            try
            {
                switch (this)
                {
                    case TRUNCATE_DRIVER -> truncate(directory.resolve("driver"));
                    case NOISE_IN_DRIVER -> noise(directory.resolve("driver"));
                    case TRUNCATE_CONTROL -> truncate(directory.resolve("control"));
                    case NOISE_IN_CONTROL -> noise(directory.resolve("control"));
                    case REMOVE_DRIVER -> Files.delete(directory.resolve("driver"));
                    case REMOVE_CONTROL -> Files.delete(directory.resolve("control"));
                    case REMOVE_BELL -> Files.delete(directory.resolve("bell"));
                    case REPLACE_CONTROL ->
                    {
                        final Path other = directory.resolve("other");
                        Files.copy(directory.resolve("control"), other);
                        Files.move(other, directory.resolve("control"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
                    }
                    case REMOVE_CLIENTS -> TestDirectory.remove(directory.resolve("clients"));
                    case REMOVE_RINGS -> TestDirectory.remove(directory.resolve("rings"));
                    case MOVE_DIRECTORY -> Files.move(directory, directory.resolveSibling(
                        directory.getFileName() + ".moved"));
                    case REMOVE_DIRECTORY -> TestDirectory.remove(directory);
                }
            }
            catch (final IOException failure)
            {
                throw new UncheckedIOException(failure);
            }
        }

        static void noise(final Path file)
        {
            final byte[] bytes = new byte[4096];
            new Random(1).nextBytes(bytes);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
            {
                channel.write(ByteBuffer.wrap(bytes), 0);
            }
            catch (final IOException failure)
            {
                throw new UncheckedIOException(failure);
            }
        }

        static void truncate(final Path file)
        {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
            {
                channel.truncate(0);
            }
            catch (final IOException failure)
            {
                throw new UncheckedIOException(failure);
            }
        }
    }

    @AfterEach
    void close()
    {
        if (driver != null)
        {
            driver.close();
        }
        for (final Path path : List.of(directory, directory.resolveSibling(directory.getFileName() + ".moved")))
        {
            if (Files.exists(path))
            {
                TestDirectory.remove(path);
            }
        }
    }

    private void launch(final ThreadingMode mode)
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.THREADING, mode), log::add);
    }

    private Gannet connect()
    {
        return connect("test");
    }

    private Gannet connect(final String name)
    {
        return Gannet.connect(new Gannet.Context().directory(directory).driverTimeout(60, TimeUnit.SECONDS).name(name)
            .errorHandler(clientErrors::add)
            .driverListener(new DriverListener()
            {
                @Override
                public void onDriverLost(final String detail)
                {
                    clientNews.add("lost");
                }

                @Override
                public void onDriverBack(final long epoch)
                {
                    clientNews.add("back");
                }
            }));
    }

    @ParameterizedTest
    @EnumSource(Deed.class)
    void aDriverThatNobodyCanReachEndsWithOneLine(final Deed deed) throws InterruptedException
    {
        launch(ThreadingMode.SHARED);
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription(CHANNEL, 1);
            Publication publication = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            deed.on(directory);
            driver.awaitEnd();
            assertThat(driver.failure()).hasMessageContaining(directory.toString()).hasMessageContaining(deed.words)
                .hasMessageContaining("Start it again");
            assertThat(log).singleElement().asString().isEqualTo("error: " + driver.failure().getMessage());
            Await.until("the client to know", () -> !clientNews.isEmpty() || !clientErrors.isEmpty());
            if (Files.isDirectory(directory.resolve("clients")))
            {
                assertThat(clientNews).containsExactly("lost");
                assertStreamGoesOn(publication, subscription);
            }
            else
            {
                Await.until("the client to close what it has", publication::isClosed);
                assertThat(clientErrors).singleElement().asString().contains("was removed").contains("Connect anew");
            }
        }
    }

    private static void assertStreamGoesOn(final Publication publication, final Subscription subscription)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        for (int i = 0; i < 3_000; i++)
        {
            assertThat(publication.offer(message, 0, 100)).isPositive();
            assertThat(subscription.poll((buffer, offset, length, header) -> { }, 10)).isEqualTo(1);
        }
    }

    @Test
    void aDriverThatIsSteppedSaysItToItsCallerOnce()
    {
        launch(ThreadingMode.INVOKER);
        driver.doWork();
        Deed.REMOVE_CONTROL.on(directory);
        final List<Throwable> thrown = new java.util.ArrayList<>();
        Await.until("the end", () ->
        {
            try
            {
                driver.doWork();
            }
            catch (final DriverException end)
            {
                thrown.add(end);
            }
            return !thrown.isEmpty();
        });
        assertThat(driver.doWork()).isZero();
        assertThat(thrown).containsExactly(driver.failure());
    }

    @Test
    void aClientWhoseOwnFileIsTruncatedClosesWithOneError()
    {
        launch(ThreadingMode.SHARED);
        final Gannet client = connect("cut");
        try (Gannet neighbour = connect();
            Subscription unharmed = neighbour.addSubscription(CHANNEL, 3);
            Publication untouched = neighbour.addPublication(CHANNEL, 3);
            Subscription subscription = neighbour.addSubscription(CHANNEL, 1);
            Publication publication = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            EmbeddedDriver.awaitConnected(untouched, unharmed);
            final Path file = directory.resolve("clients").resolve(String.format("%016x", client.clientId()));
            Deed.truncate(file);
            Await.until("the client to close what it has", publication::isClosed);
            assertThat(clientErrors).singleElement().asString().contains("truncated").contains("Connect anew");
            assertThat(driver.failure()).isNull();
            Await.until("the stream's end", () -> subscription.imageCount() == 0);
            neighbour.addPublication(CHANNEL, 2).close();
            assertStreamGoesOn(untouched, unharmed);
            // Cut off, where the driver met the file before the client was gone, and dead.
            assertThat(log).allSatisfy(line -> assertThat(line).contains("client cut "));
        }
        client.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRingWithNoiseInItsHeaderEndsItsStreamAloneAndIsNamed(final boolean exclusive) throws IOException
    {
        launch(ThreadingMode.SHARED);
        try (Gannet client = connect(); Gannet other = connect();
            Subscription subscription = other.addSubscription(CHANNEL, 1);
            Publication publication = exclusive ?
                client.addExclusivePublication(CHANNEL, 1) : client.addPublication(CHANNEL, 1);
            Subscription neighbour = other.addSubscription(CHANNEL, 2))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            final String ring = TestDirectory.list(directory.resolve("rings")).stream()
                .filter(name -> name.endsWith(".ring")).findFirst().orElseThrow();
            assertStreamGoesOn(publication, subscription);
            write(directory.resolve("rings").resolve(ring), RingLayout.ENTRIES_OFFSET, 0x0123_4567_89AB_CDEFL);
            Await.until("the publication's end", publication::isClosed);
            Await.until("the image's end", () -> !subscription.isConnected());
            assertThat(log).singleElement().asString().contains(ring).contains("gating entry 0")
                .contains("stream 1").contains("damaged");
            Await.until("the client to be told", () -> !clientErrors.isEmpty());
            assertThat(clientErrors).singleElement().asString().contains("damaged").contains("up to position ")
                .doesNotContain("position 0)");
            try (Publication next = client.addPublication(CHANNEL, 2))
            {
                EmbeddedDriver.awaitConnected(next, neighbour);
                assertStreamGoesOn(next, neighbour);
            }
            Await.until("the ring's file to go", () ->
                !TestDirectory.list(directory.resolve("rings")).contains(ring));
        }
    }

    private static void write(final Path file, final int offset, final long word) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, word), offset);
        }
    }

    @Test
    void aClientsStreamsComeBackUnderTheNextDriver() throws InterruptedException
    {
        launch(ThreadingMode.SHARED);
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription(CHANNEL, 1);
            Publication publication = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            Deed.TRUNCATE_CONTROL.on(directory);
            driver.awaitEnd();
            launch(ThreadingMode.SHARED);
            Await.until("the new driver", () -> clientNews.contains("back"));
            assertThat(client.driverState()).isEqualTo(DriverState.RUNNING);
            assertStreamGoesOn(publication, subscription);
            client.addCounter(1000, "one").close();
            assertThat(clientErrors).isEmpty();
        }
    }
}
