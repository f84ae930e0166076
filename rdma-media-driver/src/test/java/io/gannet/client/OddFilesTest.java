package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.DriverUnavailableException;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverException;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.os.NamedPipe;
import io.gannet.os.Syscall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Single files of a directory in use that are replaced by what is no file: whoever meets that says so in one line that
 * names it, nobody waits for it, and the streams that are there go on.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class OddFilesTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";

    private final Path directory = TestDirectory.create("odd");
    private final Path aside = TestDirectory.create("aside");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<Throwable> clientErrors = new CopyOnWriteArrayList<>();
    private MediaDriver driver;

    /** What comes in the place of a file. */
    enum Odd
    {
        DIRECTORY, LINK, PIPE, SOCKET, EMPTY;

        /** The file itself goes to {@code original}. At once: whoever looks between would find none, not another. */
        void replace(final Path file, final Path original)
        {
            try
            {
                switch (this)
                {
                    case DIRECTORY -> Files.createFile(Files.createDirectory(original).resolve("something"));
                    case LINK -> Files.createSymbolicLink(original, original);
                    case PIPE ->
                    {
                        try (NamedPipe pipe = new NamedPipe(original))
                        {
                            pipe.make(0600);
                        }
                    }
                    case SOCKET -> ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        .bind(UnixDomainSocketAddress.of(original)).close();
                    case EMPTY -> Files.createFile(original);
                }
            }
            catch (final IOException failure)
            {
                throw new UncheckedIOException(failure);
            }
            exchange(file, original);
        }
    }

    /** renameat2(2), which Java does not have, with RENAME_EXCHANGE. */
    private static void exchange(final Path one, final Path other)
    {
        final long renameat2 = "aarch64".equals(System.getProperty("os.arch")) ? 276 : 316;
        final long here = -100;
        final long exchange = 2;
        try (Arena arena = Arena.ofConfined())
        {
            assertThat(Syscall.call(renameat2, here, arena.allocateFrom(one.toString()).address(), here,
                arena.allocateFrom(other.toString()).address(), exchange, 0)).as("exchanged").isZero();
        }
    }

    @AfterEach
    void close()
    {
        if (driver != null)
        {
            driver.close();
        }
        TestDirectory.remove(directory);
        TestDirectory.remove(aside);
    }

    private void launch()
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.THREADING, ThreadingMode.SHARED), log::add);
    }

    private Gannet.Context context()
    {
        return new Gannet.Context().directory(directory).driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)
            .errorHandler(clientErrors::add);
    }

    private static void pass(final Publication publication, final Subscription subscription)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        for (int i = 0; i < 3_000; i++)
        {
            Await.until("room", () -> publication.offer(message, 0, 100) > 0);
            Await.until("the message", () -> subscription.poll((buffer, offset, length, header) -> { }, 10) == 1);
        }
    }

    static Stream<Arguments> ownFiles()
    {
        return Stream.of("driver", "control", "bell")
            .flatMap(name -> Stream.of(Odd.values()).map(odd -> Arguments.of(name, odd)));
    }

    /** In whose place a driver that starts puts its own. */
    private static Set<Odd> overcome(final String name)
    {
        return switch (name)
        {
            case "driver" -> EnumSet.of(Odd.EMPTY);
            case "control" -> EnumSet.complementOf(EnumSet.of(Odd.DIRECTORY));
            default -> EnumSet.of(Odd.PIPE);
        };
    }

    @ParameterizedTest
    @MethodSource("ownFiles")
    void aDriverEndsOverAnyOfItsOwnAndIsStartedAgain(final String name, final Odd odd) throws Exception
    {
        launch();
        final Path file = directory.resolve(name);
        try (Gannet client = Gannet.connect(context());
            Subscription subscription = client.addSubscription(CHANNEL, 1);
            Publication publication = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            odd.replace(file, aside.resolve(name));
            driver.awaitEnd();
            assertThat(log).singleElement().asString().contains(file + " was replaced by another")
                .contains("Start it again").doesNotContain("\n");
            assertNobodyWaits();
            log.clear();
            if (!overcome(name).contains(odd))
            {
                assertThatThrownBy(this::launch).isInstanceOf(DriverException.class)
                    .hasMessageContaining(file.toString()).message().doesNotContain("\n");
                assertThat(TestDirectory.list(directory)).noneMatch(left -> left.startsWith("."));
                if (odd == Odd.DIRECTORY)
                {
                    Files.delete(file.resolve("something"));
                }
                Files.delete(file);
            }
            launch();
            client.addCounter(1000, "one").close();
            pass(publication, subscription);
            assertThat(clientErrors).isEmpty();
            assertThat(log).isEmpty();
        }
    }

    /** Neither a client that comes now, nor a tool that only reads. */
    private void assertNobodyWaits()
    {
        assertThatThrownBy(() -> Gannet.connect(context().driverTimeout(10, TimeUnit.MILLISECONDS)))
            .isInstanceOf(DriverUnavailableException.class).hasMessageContaining(directory.toString())
            .message().doesNotContain("\n");
        final GannetDirectory looked = new GannetDirectory(directory);
        try (DriverFile read = DriverFile.open(looked, false); ControlFile counters = ControlFile.open(looked, false))
        {
            assertThat(read.isAlive()).isFalse();
            assertThat(counters.maxCounters()).isPositive();
        }
        catch (final ControlException odd)
        {
            assertThat(odd).hasMessageContaining(directory.toString());
        }
    }

    @ParameterizedTest
    @EnumSource(Odd.class)
    void aRingIsNamedToWhoWouldReadItNowAndGoesOnForAllOthers(final Odd odd)
    {
        launch();
        final Path original = aside.resolve("original");
        try (Gannet client = Gannet.connect(context()); Gannet other = Gannet.connect(context());
            Subscription subscription = other.addSubscription(CHANNEL, 1);
            Publication publication = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            final Path ring = directory.resolve("rings").resolve(
                TestDirectory.list(directory.resolve("rings")).stream()
                    .filter(name -> name.endsWith(".ring")).findFirst().orElseThrow());
            odd.replace(ring, original);
            try (Subscription late = client.addSubscription(CHANNEL, 1);
                Subscription neighbour = client.addSubscription(CHANNEL, 2);
                Publication untouched = client.addPublication(CHANNEL, 2))
            {
                Await.until("the late one to be told", () -> !clientErrors.isEmpty());
                assertThat(clientErrors).singleElement().asString().contains(ring.toString()).doesNotContain("\n");
                assertThat(late.isConnected()).isFalse();
                EmbeddedDriver.awaitConnected(untouched, neighbour);
                pass(untouched, neighbour);
                pass(publication, subscription);
            }
        }
        Await.until("the ring's pages to go", () -> mapped(original) == 0);
        assertThat(driver.failure()).isNull();
        // A directory with something in it can't be removed.
        final int lines = odd == Odd.DIRECTORY ? 1 : 0;
        Await.until("the driver to say so", () -> log.size() >= lines);
        assertThat(log).hasSize(lines);
    }

    private static long mapped(final Path file)
    {
        try
        {
            return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains(file.toString())).count();
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    @ParameterizedTest
    @EnumSource(Odd.class)
    void aClientWhoseFileIsReplacedClosesWithOneErrorAndNobodyElseIsTouched(final Odd odd)
    {
        launch();
        final Gannet victim = Gannet.connect(context());
        try (Gannet other = Gannet.connect(new Gannet.Context().directory(directory)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Subscription subscription = other.addSubscription(CHANNEL, 1);
            Publication publication = other.addPublication(CHANNEL, 1);
            Publication lost = victim.addPublication(CHANNEL, 2))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            final Path file = directory.resolve("clients").resolve(String.format("%016x", victim.clientId()));
            odd.replace(file, aside.resolve("client"));
            Await.until("the client to close what it has", lost::isClosed);
            assertThat(clientErrors).singleElement().asString().contains(file + " was replaced by another");
            Await.until("the driver to let go of what it had", () -> TestDirectory.list(directory.resolve("rings"))
                .stream().filter(ring -> ring.endsWith(".ring")).count() == 1);
            pass(publication, subscription);
            Gannet.connect(context()).close();
        }
        victim.close();
        assertThat(driver.failure()).isNull();
    }
}
