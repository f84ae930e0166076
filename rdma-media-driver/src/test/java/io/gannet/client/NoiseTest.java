package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.GannetException;
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
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random bytes are written into the files of a running driver: whom it concerns is told, by one line with a code, and
 * goes on or ends in order; nobody else is harmed and nothing waits for ever.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class NoiseTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int COMMANDS = 4096;
    private static final int CAPACITY = 64 * 1024;
    private static final int EVENTS = COMMANDS + CAPACITY + RingBufferDescriptor.TRAILER_LENGTH;
    private static final int END = EVENTS + CAPACITY + RingBufferDescriptor.TRAILER_LENGTH;
    private static final int SEEDS = 12;

    private final Path directory = TestDirectory.create("noise");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
    private MediaDriver driver;

    /** Words of a client's file, each written by one side alone; what becomes of the client when they are noise. */
    enum Word
    {
        MAGIC(0, Fate.ENDS),
        CLIENT_ID(16, Fate.ENDS),
        EPOCH(256, Fate.ENDS),
        HEARTBEAT(384, Fate.GOES_ON),
        BELL(512, Fate.GOES_ON),
        COMMAND_TAIL(COMMANDS + CAPACITY + RingBufferDescriptor.TAIL_POSITION_OFFSET, Fate.ENDS),
        COMMAND_HEAD_CACHE(COMMANDS + CAPACITY + RingBufferDescriptor.HEAD_CACHE_POSITION_OFFSET, Fate.ENDS),
        COMMAND_HEAD(COMMANDS + CAPACITY + RingBufferDescriptor.HEAD_POSITION_OFFSET, Fate.CONNECTS_ANEW),
        EVENT_TAIL(EVENTS + CAPACITY + RingBufferDescriptor.TAIL_POSITION_OFFSET, Fate.ENDS),
        EVENT_HEAD_CACHE(EVENTS + CAPACITY + RingBufferDescriptor.HEAD_CACHE_POSITION_OFFSET, Fate.ENDS),
        EVENT_HEAD(EVENTS + CAPACITY + RingBufferDescriptor.HEAD_POSITION_OFFSET, Fate.ENDS);

        private final int offset;
        private final Fate fate;

        Word(final int offset, final Fate fate)
        {
            this.offset = offset;
            this.fate = fate;
        }
    }

    private enum Fate
    {
        ENDS, CONNECTS_ANEW, GOES_ON
    }

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

    /** A client with a stream to itself, and what it was told. */
    private final class Party implements AutoCloseable
    {
        private final List<Throwable> errors = new CopyOnWriteArrayList<>();
        private final Gannet client;
        private final Path file;
        private final Subscription subscription;
        private final Publication publication;
        private int streams;

        Party(final String name)
        {
            client = Gannet.connect(new Gannet.Context().directory(directory).name(name)
                .driverTimeout(60, TimeUnit.SECONDS).errorHandler(errors::add));
            file = directory.resolve("clients").resolve(String.format("%016x", client.clientId()));
            streams = name.hashCode();
            subscription = client.addSubscription(CHANNEL, streams);
            publication = client.addPublication(CHANNEL, streams);
            EmbeddedDriver.awaitConnected(publication, subscription);
        }

        void goesOn()
        {
            assertThat(passes()).as("the stream goes on").isTrue();
        }

        /** Sends and reads a hundred messages, each of which comes unless the client has closed; false if it has. */
        boolean passes()
        {
            for (int i = 0; i < 100; i++)
            {
                final long position = publication.offer(message, 0, 100);
                final int read = subscription.poll((buffer, offset, length, header) -> { }, 10);
                if (publication.isClosed() || subscription.isClosed())
                {
                    return false;
                }
                assertThat(position).isPositive();
                assertThat(read).isEqualTo(1);
            }
            return true;
        }

        /** Asks something of the driver; what the client is told instead if it can't, else null. */
        GannetException ask()
        {
            try
            {
                client.addPublication(CHANNEL, ++streams).close();
                return null;
            }
            catch (final GannetException told)
            {
                return told;
            }
        }

        @Override
        public void close()
        {
            client.close();
        }
    }

    private static void write(final Path file, final long offset, final byte[] noise)
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(noise), offset);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    /** Who is taking something puts the position right afterwards that he took it from, whatever was written there. */
    private static void awaitNothingOnItsWay(final Path file)
    {
        Await.until("commands and events to be taken", () ->
            read(file, Word.COMMAND_HEAD) == read(file, Word.COMMAND_TAIL) &&
            read(file, Word.EVENT_HEAD) == read(file, Word.EVENT_TAIL));
    }

    private static long read(final Path file, final Word word)
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
            channel.read(bytes, word.offset);
            return bytes.getLong(0);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    private static byte[] noise(final Random random, final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private List<String> linesOf(final String client)
    {
        return log.stream().filter(line -> line.contains("client " + client + " ")).toList();
    }

    @ParameterizedTest
    @EnumSource(Word.class)
    void aClientWithNoiseInAWordOfItsFileIsToldAndTheDriverSaysWhy(final Word word)
    {
        try (Party neighbour = new Party("neighbour"); Party victim = new Party("victim"))
        {
            awaitNothingOnItsWay(victim.file);
            write(victim.file, word.offset, noise(new Random(word.offset), Long.BYTES));
            if (word.fate == Fate.ENDS)
            {
                assertEndIsTold(victim);
            }
            else
            {
                if (word.fate == Fate.CONNECTS_ANEW)
                {
                    Await.until("the victim to be told", () -> !victim.errors.isEmpty());
                }
                assertThat(victim.ask()).isNull();
                victim.goesOn();
                assertThat(victim.errors).hasSize(word.fate == Fate.GOES_ON ? 0 : 1)
                    .allSatisfy(told -> assertThat(told).hasMessageEndingWith("no record (E301)"));
                // Whether the driver looks at the heartbeat before the client puts it right is chance.
                final List<String> lines = new ArrayList<>(linesOf("victim"));
                assertThat(lines.removeIf(line -> line.contains(" is alive but silent since ")))
                    .isIn(false, word == Word.HEARTBEAT);
                assertThat(lines).hasSize(word.fate == Fate.GOES_ON ? 0 : 1)
                    .allSatisfy(line -> assertThat(line).contains("is given up").endsWith("(E230)"));
            }
            neighbour.goesOn();
            assertThat(neighbour.ask()).isNull();
            assertThat(neighbour.errors).isEmpty();
        }
    }

    private void assertEndIsTold(final Party victim)
    {
        Await.until("the victim to be told", () -> !victim.errors.isEmpty());
        assertThat(victim.errors).singleElement().asString().contains(victim.file.toString());
        assertThat(((GannetException) victim.errors.getFirst()).code()).isEqualTo("E231");
        Await.until("the end of what it has", victim.publication::isClosed);
        assertThat(victim.ask()).hasMessageContaining(victim.file.toString()).hasMessageEndingWith("(E333)");
        Await.until("the driver to say why", () -> !linesOf("victim").isEmpty());
        assertThat(linesOf("victim")).singleElement().asString()
            .contains("written to by something else").endsWith("(E231)");
    }

    static Stream<Integer> seeds()
    {
        return IntStream.range(0, SEEDS).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aClientWithNoiseAnywhereInItsFileGoesOnOrIsTold(final int seed)
    {
        final Random random = new Random(seed);
        try (Party neighbour = new Party("neighbour"); Party victim = new Party("victim"))
        {
            // Of the first, each is longer: in the end all of the file.
            final int length = Math.min(END, 8 << random.nextInt(16));
            write(victim.file, random.nextInt(END - length + 1), noise(random, length));
            for (int i = 0; i < 20 && victim.errors.isEmpty(); i++)
            {
                final GannetException told = victim.ask();
                assertThat(told == null || told.code().matches("E333|E231|E301")).as("told %s", told).isTrue();
            }
            // What nobody has looked at by now may still be met.
            if (!victim.passes())
            {
                Await.until("the victim to be told", () -> !victim.errors.isEmpty());
                assertThat(victim.errors).allSatisfy(error -> assertThat(error.getMessage())
                    .matches(".*\\(E\\d{3}\\)"));
                Await.until("the driver to say why", () -> !linesOf("victim").isEmpty());
            }
            neighbour.goesOn();
            assertThat(neighbour.ask()).isNull();
            assertThat(neighbour.errors).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noiseInAnotherFileEndsItsOwnerWithOneLineOrNobody(final int seed) throws IOException
    {
        final Random random = new Random(seed);
        try (Party neighbour = new Party("neighbour"))
        {
            final List<Path> before = files();
            try (Party victim = new Party("victim"))
            {
                final List<Path> own = files();
                own.removeAll(before);
                final List<Path> kinds = new ArrayList<>(own);
                kinds.add(directory.resolve("driver"));
                kinds.add(directory.resolve("control"));
                final Path file = kinds.get(seed % kinds.size());
                final int length = 8 << random.nextInt(9);
                final long offset = random.nextLong(Math.max(1, Math.min(Files.size(file), 2 * 4096) - length));
                write(file, offset, noise(random, length));
                final String what = length + " bytes at " + offset + " of " + file;
                final GannetException told = driver.failure() == null ? neighbour.ask() : null;
                assertThat(told == null || driver.failure() != null).as("%s: %s", what, told).isTrue();
                neighbour.goesOn();
                if (victim.publication.isClosed())
                {
                    Await.until("the victim to be told", () -> !victim.errors.isEmpty());
                    assertThat(victim.errors).as(what).singleElement().asString().matches("(?s).*\\(E\\d{3}\\)");
                }
                assertThat(log).as(what).filteredOn(line -> line.startsWith("error")).hasSizeLessThan(2)
                    .allSatisfy(line -> assertThat(line).matches("(?s).*\\(E\\d{3}\\)"));
            }
        }
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> tree = Files.walk(directory))
        {
            return new ArrayList<>(tree.filter(Files::isRegularFile)
                .filter(path -> path.getParent().endsWith("rings")).sorted().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPublisherThatGoesOnBehindTheDriversLastLookIsToldWhatIsSure(final boolean exclusive) throws IOException
    {
        final List<Throwable> told = new CopyOnWriteArrayList<>();
        final AtomicLong accepted = new AtomicLong();
        final AtomicLong known = new AtomicLong();
        try (Party neighbour = new Party("neighbour"); Gannet client = Gannet.connect(new Gannet.Context()
            .directory(directory).driverTimeout(60, TimeUnit.SECONDS).errorHandler(told::add)
            .gapHandler((subscription, session, from, to) -> known.accumulateAndGet(to, Math::max)));
            Subscription subscription = client.addSubscription(CHANNEL, 1))
        {
            final List<Path> before = files();
            final Publication publication = exclusive ?
                client.addExclusivePublication(CHANNEL, 1) : client.addPublication(CHANNEL, 1);
            EmbeddedDriver.awaitConnected(publication, subscription);
            final Path ring = files().stream().filter(path -> !before.contains(path))
                .filter(path -> path.toString().endsWith(".ring")).findFirst().orElseThrow();
            final Thread publisher = new Thread(() ->
            {
                long result = 0;
                while (result != Publication.CLOSED)
                {
                    result = publication.offer(message, 0, 100);
                    accepted.accumulateAndGet(result, Math::max);
                }
            });
            publisher.start();
            boolean written = false;
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.DEADLINE_SECONDS);
            while (publisher.isAlive() && System.nanoTime() - deadline < 0)
            {
                subscription.poll((buffer, offset, length, header) ->
                    known.accumulateAndGet(header.position(), Math::max), 100);
                if (!written && known.get() > 100_000)
                {
                    write(ring, RingLayout.SESSION_ID_OFFSET, noise(new Random(3), Integer.BYTES));
                    written = true;
                }
            }
            assertThat(publisher.isAlive()).isFalse();
            Await.until("the publisher to be told", () -> !told.isEmpty());
            Await.until("the subscriber's end", () -> !subscription.isConnected());
            assertThat(told).singleElement().asString().contains("may be lost");
            final Matcher words =
                Pattern.compile("has all up to position (\\d+)").matcher(told.getFirst().getMessage());
            assertThat(words.find()).isTrue();
            final long sure = Long.parseLong(words.group(1));
            assertThat(sure).isBetween(1L, accepted.get());
            if (exclusive && sure < accepted.get())
            {
                assertThat(told.getFirst()).hasMessageContaining("up to " + accepted.get() + ",");
            }
            // No hole below it of which the subscriber does not know.
            Await.until("the subscriber to have it or know of the gap", () -> known.get() >= sure);
            assertThat(publication.offer(message, 0, 100)).isEqualTo(Publication.CLOSED);
            neighbour.goesOn();
        }
    }
}
