package io.gannet.driver;

import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.HEAD_POSITION_OFFSET;
import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TAIL_POSITION_OFFSET;
import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TRAILER_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.ErrorCode;
import io.gannet.control.GannetDirectory;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.os.Mapping;
import io.gannet.os.SharedFile;
import io.gannet.protocol.PublicationKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

/**
 * Bytes that make no sense, in one client's file: the driver goes on, and so does everybody else.
 */
class GarbageTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int HEADER_LENGTH = 4096;
    private static final int COMMANDS = HEADER_LENGTH;
    private static final int RING_LENGTH = 64 * 1024;
    private static final int COMMAND_TRAILER = COMMANDS + RING_LENGTH;
    private static final int EVENT_TRAILER = COMMAND_TRAILER + TRAILER_LENGTH + RING_LENGTH;

    private final Path directory = TestDirectory.create("garbage");
    private final List<String> log = new ArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();
    private final MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
        .with(DriverOptions.DIRECTORY, directory)
        .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
        .with(DriverOptions.LIVENESS_INTERVAL, 1_000_000L), log::add);

    @AfterEach
    void close()
    {
        clients.forEach(RawClient::close);
        driver.close();
        TestDirectory.remove(directory);
    }

    private RawClient client()
    {
        final RawClient client = new RawClient(directory, driver);
        clients.add(client);
        return client.connect(directory);
    }

    private void assertServed(final RawClient client, final int correlationId)
    {
        client.commands.addPublication(
            correlationId, correlationId, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        client.await("onPublicationReady");
        client.commands.removePublication(correlationId + 1, correlationId);
        client.await("onOperationSucceeded");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomBytesInTheRingsOfOneClientTouchNoOther(final long seed)
    {
        final RawClient neighbour = client();
        final RawClient victim = client();
        victim.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        victim.await("onPublicationReady");
        final Random random = new Random(seed);
        try (SharedFile file = SharedFile.open(directory.resolve("clients")
            .resolve(String.format("%016x", victim.file.clientId()))))
        {
            final int length = (int) (file.length() & -Mapping.PAGE_SIZE);
            final long address = Mapping.map(file, 0, length, true, false);
            final UnsafeBuffer bytes = new UnsafeBuffer(address, length);
            for (int round = 0; round < 50; round++)
            {
                // Behind the client's own description: what a stray store of the client could hit.
                for (int i = 0; i < 200; i++)
                {
                    bytes.putByte(HEADER_LENGTH + random.nextInt(round < 25 ? 512 : length - HEADER_LENGTH),
                        (byte) random.nextInt());
                }
                driver.doWork();
            }
            Mapping.unmap(address, length);
        }
        assertServed(neighbour, 10);
        assertThat(TestDirectory.list(directory.resolve("rings"))).as("the living victim's ring").isNotEmpty();
        victim.close();
        Await.until("the victim's holdings to go, seed " + seed, () ->
        {
            driver.doWork();
            return TestDirectory.list(directory.resolve("rings")).isEmpty() &&
                TestDirectory.list(directory.resolve("clients")).size() == 1;
        });
        assertServed(neighbour, 20);
    }

    /** By whom ever: one stream is lost, and its people are told; all others go on. */
    @ParameterizedTest
    @EnumSource(value = PublicationKind.class, names = {"EXCLUSIVE", "CONCURRENT"})
    void aTruncatedRingEndsItsOwnStreamAlone(final PublicationKind kind) throws IOException
    {
        final RawClient neighbour = client();
        final RawClient victim = client();
        victim.commands.addPublication(2, 1, kind, 10, CHANNEL, 0);
        victim.await("onPublicationReady");
        victim.commands.addSubscription(3, 2, 10, CHANNEL);
        victim.await("onImageAvailable");
        final String name = TestDirectory.list(directory.resolve("rings")).stream()
            .filter(file -> file.endsWith(".ring")).findFirst().orElseThrow();
        final Path file = directory.resolve("rings").resolve(name);
        try (FileChannel ring = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            ring.truncate(0);
        }
        victim.await("onImageUnavailable");
        assertThat(victim.await("onPublicationEnded").arguments().toString()).contains("truncated");
        assertThat(log.stream().filter(line -> line.contains("truncated"))).hasSize(1);
        assertServed(neighbour, 10);
        assertServed(victim, 20);
        client();
        Await.until("the ring's file to go", () ->
        {
            driver.doWork();
            return !Files.exists(file);
        });
    }

    @Test
    void aClientThatIsGivenUpMayConnectAnewAndClaimWhatItHeld()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final long ringId = client.await("onPublicationReady").asLong(5);
        client.commands.connect(3, 42);
        assertThat(client.await("onOperationFailed").asLong(1)).isEqualTo(ErrorCode.MALFORMED_COMMAND.code());
        client.connect(directory);
        client.commands.addPublication(4, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, ringId);
        assertThat(client.await("onPublicationReady").asLong(5)).isEqualTo(ringId);
    }

    /** A record of no length that there is, in the place of the client's next command. */
    private void corrupt(final RawClient client)
    {
        try (MappedClient file = new MappedClient(client))
        {
            file.bytes.putIntVolatile(
                COMMANDS + (int) file.bytes.getLong(COMMAND_TRAILER + TAIL_POSITION_OFFSET), 7);
        }
    }

    @Test
    void aClientThatIsGivenUpAndDoesNotComeBackCostsTheDriverNothing()
    {
        final RawClient client = client();
        corrupt(client);
        client.await("onOperationFailed");
        Await.until("the driver to find nothing to do", () -> driver.doWork() == 0);
        client.connect(directory);
        assertServed(client, 10);
    }

    /** Until it is back, which may take as long as a handler of its application holds it up, its threads count on. */
    @Test
    void theCountersOfAClientThatIsGivenUpAreNobodyElses()
    {
        final RawClient client = client();
        client.commands.addCounter(2, 1, 1000, new byte[0], "its own", 5);
        final long its = client.await("onCounterReady").asLong(2);
        corrupt(client);
        client.await("onOperationFailed");
        final RawClient neighbour = client();
        final long start = System.nanoTime();
        int correlationId = 10;
        // Freed ones are used again after a second.
        while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(1_500))
        {
            neighbour.commands.addCounter(correlationId, correlationId, 1000, new byte[0], "another", 0);
            assertThat(neighbour.await("onCounterReady").asLong(2)).isNotEqualTo(its);
            neighbour.commands.removeCounter(correlationId + 1, correlationId);
            neighbour.await("onOperationSucceeded");
            correlationId += 2;
            // Or there are none left before that.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        client.connect(directory);
        client.commands.addCounter(3, 1, 1000, new byte[0], "its own", 6);
        client.await("onCounterReady");
        client.commands.resumeDone(4);
        client.await("onOperationSucceeded");
        Await.until("its first counter to be free", () -> state(its) != CountersReader.RECORD_ALLOCATED);
    }

    private int state(final long counterId)
    {
        driver.doWork();
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            return control.countersReader().getCounterState((int) counterId);
        }
    }

    /** The client clears its rings when it hears of it, and a late store there would hide its Connect for ever. */
    @Test
    void whoIsGivenUpHearsItBehindTheDriversLastTouchOfItsCommands() throws InterruptedException
    {
        final RawClient client = new RawClient(directory, null);
        clients.add(client);
        final AtomicBoolean end = new AtomicBoolean();
        final Thread stepper = Thread.ofPlatform().start(() ->
        {
            while (!end.get())
            {
                driver.doWork();
            }
        });
        int early = 0;
        client.connect(directory);
        try (MappedClient file = new MappedClient(client))
        {
            for (int round = 0; round < 300; round++)
            {
                final long told = file.bytes.getLongVolatile(EVENT_TRAILER + TAIL_POSITION_OFFSET);
                client.commands.connect(3, 42);
                final long written = file.bytes.getLongVolatile(COMMAND_TRAILER + TAIL_POSITION_OFFSET);
                final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.DEADLINE_SECONDS);
                long tail = told;
                while (tail == told && deadline - System.nanoTime() > 0)
                {
                    tail = file.bytes.getLongVolatile(EVENT_TRAILER + TAIL_POSITION_OFFSET);
                }
                assertThat(tail).isNotEqualTo(told);
                early += file.bytes.getLongVolatile(COMMAND_TRAILER + HEAD_POSITION_OFFSET) == written ? 0 : 1;
                client.connect(directory);
            }
        }
        finally
        {
            end.set(true);
            stepper.join();
        }
        assertThat(early).isZero();
    }

    /** The rings of a client's file, as their layout says. */
    private final class MappedClient implements AutoCloseable
    {
        private final UnsafeBuffer bytes;

        MappedClient(final RawClient client)
        {
            try (SharedFile file = SharedFile.open(directory.resolve("clients")
                .resolve(String.format("%016x", client.file.clientId()))))
            {
                final int length = (int) (file.length() & -Mapping.PAGE_SIZE);
                bytes = new UnsafeBuffer(Mapping.map(file, 0, length, true, false), length);
            }
        }

        @Override
        public void close()
        {
            Mapping.unmap(bytes.addressOffset(), bytes.capacity());
        }
    }

    @Test
    void aCommandBeforeConnectIsRefused()
    {
        final RawClient client = new RawClient(directory, driver);
        clients.add(client);
        try (DriverFile driverFile = DriverFile.open(new GannetDirectory(directory), true))
        {
            client.file.clearRings();
            client.commands.addSubscription(1, 1, 10, "gannet:ipc");
            client.file.connectTo(driverFile.epoch());
            driverFile.arrive();
        }
        assertThat(client.await("onOperationFailed").asLong(1)).isEqualTo(ErrorCode.MALFORMED_COMMAND.code());
    }

    @Test
    void filesThatAreNoClientsAreReportedOnceAndTouchNobody() throws IOException
    {
        final Path clientFiles = directory.resolve("clients");
        Files.write(clientFiles.resolve("0123456789abcdef"), new byte[100_000]);
        Files.write(clientFiles.resolve("0000000000000001"), new byte[0]);
        Files.write(clientFiles.resolve("notes.txt"), new byte[10]);
        Files.createDirectory(clientFiles.resolve("0000000000000002"));
        final RawClient client = client();
        for (int i = 0; i < 3; i++)
        {
            assertServed(client, 10 + 10 * i);
            client();
        }
        assertThat(log.stream().filter(line -> line.contains("notes.txt"))).hasSize(1);
        assertThat(log.stream().filter(line -> line.contains("0123456789abcdef"))).hasSize(1);
        Files.delete(clientFiles.resolve("0000000000000002"));
    }

    @Test
    void anotherVersionIsRefusedWithBothVersionsNamed()
    {
        final RawClient client = new RawClient(directory, driver);
        clients.add(client);
        try (DriverFile driverFile = DriverFile.open(new GannetDirectory(directory), true))
        {
            client.file.clearRings();
            client.connectAs(99, driverFile.epoch());
            client.file.connectTo(driverFile.epoch());
            driverFile.arrive();
        }
        final RawClient.Event refused = client.await("onOperationFailed");
        assertThat(refused.asLong(1)).isEqualTo(ErrorCode.VERSION_MISMATCH.code());
        assertThat(refused.arguments().get(2).toString()).contains("99").contains("version 1");
    }

    @Test
    void errorsCanBeReadFromTheControlFile() throws IOException
    {
        Files.write(directory.resolve("clients").resolve("notes.txt"), new byte[10]);
        client();
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            final List<String> errors = new ArrayList<>();
            org.agrona.concurrent.errors.ErrorLogReader.read(
                control.errorLogBuffer(), (count, first, last, error) -> errors.add(error));
            assertThat(errors).anyMatch(error -> error.contains("notes.txt"));
        }
    }
}
