package io.gannet.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.gannet.control.ControlException.Reason;
import io.gannet.os.SharedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The directory and its files, from both sides.
 */
class ControlFilesTest
{
    private Path root;
    private GannetDirectory directory;

    @BeforeEach
    void create() throws IOException
    {
        root = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-test-control-");
        directory = new GannetDirectory(root.resolve("dir"));
    }

    @AfterEach
    void remove() throws IOException
    {
        try (Stream<Path> tree = Files.walk(root))
        {
            for (final Path path : tree.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(path);
            }
        }
    }

    private DriverFile driver()
    {
        directory.prepare(false);
        return DriverFile.acquire(directory, "1.2.3");
    }

    private static void assertReason(final Reason reason, final Runnable action, final String... parts)
    {
        assertThatThrownBy(action::run).asInstanceOf(type(ControlException.class))
            .satisfies(ex -> assertThat(ex.reason()).isEqualTo(reason))
            .satisfies(ex -> assertThat(List.of(parts)).allMatch(part -> ex.getMessage().contains(part)));
    }

    private static void overwrite(final Path path, final int offset, final int value) throws IOException
    {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, value), offset);
        }
    }

    private static String mode(final Path path) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aSecondDriverIsRefusedAndToldOfTheFirst()
    {
        try (DriverFile first = driver())
        {
            assertThat(first.isAlive()).isTrue();
            assertReason(Reason.IN_USE, () -> DriverFile.acquire(directory, "2"),
                "1.2.3", "pid " + ProcessHandle.current().pid(), directory.toString());
        }
    }

    @Test
    void eachDriverHasALaterEpochAndItsDeathIsSeen()
    {
        final long firstEpoch;
        final DriverFile seen;
        try (DriverFile first = driver())
        {
            firstEpoch = first.epoch();
            first.running();
            seen = DriverFile.open(directory, true);
            assertThat(seen.isAlive()).isTrue();
            assertThat(seen.isRunning()).isTrue();
        }
        assertThat(seen.isAlive()).isFalse();
        assertThat(seen.isCleanlyClosed()).isTrue();
        try (DriverFile second = DriverFile.acquire(directory, "2"))
        {
            assertThat(second.epoch()).isGreaterThan(firstEpoch);
            assertThat(seen.epoch()).isEqualTo(second.epoch());
            assertThat(seen.isAlive()).isTrue();
            assertThat(seen.isRunning()).isFalse();
        }
        seen.close();
    }

    @Test
    void anotherLayoutVersionIsRefusedWithBothVersionsNamed() throws IOException
    {
        try (DriverFile driver = driver();
            ControlFile control = ControlFile.create(directory, driver.info(), 16, 4096);
            ClientFile client = ClientFile.create(directory, "x"))
        {
            overwrite(directory.driver(), DriverLayout.LAYOUT_VERSION, 77);
            overwrite(directory.control(), DriverLayout.LAYOUT_VERSION, 78);
            overwrite(directory.client(client.clientId()), ClientLayout.LAYOUT_VERSION, 79);
            assertReason(Reason.WRONG_VERSION, () -> DriverFile.open(directory, true), "version 77", "version 1");
            assertReason(Reason.WRONG_VERSION, () -> ControlFile.open(directory, true), "version 78", "version 1");
            assertReason(Reason.WRONG_VERSION, () -> ClientFile.attach(directory, client.clientId()),
                "version 79", "version 1");
            assertThat(control.maxCounters()).isEqualTo(16);
        }
    }

    @Test
    void whatIsNotThereOrNotOursIsSaid() throws IOException
    {
        assertReason(Reason.MISSING, () -> DriverFile.open(directory, true), directory.toString());
        directory.prepare(false);
        assertReason(Reason.MISSING, () -> DriverFile.open(directory, true), "driver");
        assertReason(Reason.MISSING, () -> ControlFile.open(directory, true), "control");
        assertReason(Reason.MISSING, () -> ClientFile.attach(directory, 5), "0000000000000005");
        Files.write(directory.driver(), new byte[8192]);
        assertReason(Reason.INCOMPLETE, () -> DriverFile.open(directory, true));
        Files.write(directory.driver(), new byte[10]);
        assertReason(Reason.INCOMPLETE, () -> DriverFile.open(directory, true));
        final byte[] garbage = new byte[8192];
        java.util.Arrays.fill(garbage, (byte) 7);
        Files.write(directory.driver(), garbage);
        Files.write(directory.control(), garbage);
        assertReason(Reason.CORRUPT, () -> DriverFile.open(directory, true));
        assertReason(Reason.CORRUPT, () -> ControlFile.open(directory, true));
    }

    @Test
    void aControlFileThatPromisesMoreThanItHasIsRefused() throws IOException
    {
        try (DriverFile driver = driver();
            ControlFile control = ControlFile.create(directory, driver.info(), 16, 4096))
        {
            overwrite(directory.control(), DriverLayout.COUNTERS, 100_000);
            assertReason(Reason.CORRUPT, () -> ControlFile.open(directory, false));
            overwrite(directory.control(), DriverLayout.COUNTERS, -1);
            assertReason(Reason.CORRUPT, () -> ControlFile.open(directory, false));
            assertThat(control.driver()).isEqualTo(driver.info());
        }
    }

    @Test
    void aNewControlFileLeavesReadersOfTheOldOneAlone()
    {
        try (DriverFile driver = driver();
            ControlFile first = ControlFile.create(directory, driver.info(), 16, 4096))
        {
            final AtomicCounter counter = first.countersManager().newCounter("a", 1);
            counter.setRelease(5);
            try (ControlFile reader = ControlFile.open(directory, false);
                ControlFile second = ControlFile.create(directory, driver.info(), 32, 4096))
            {
                counter.setRelease(6);
                assertThat(reader.countersReader().getCounterValue(counter.id())).isEqualTo(6);
                assertThat(reader.countersReader().getCounterLabel(counter.id())).isEqualTo("a");
                assertThat(second.maxCounters()).isEqualTo(32);
            }
        }
    }

    /** The wall clock may be set back, by an hour as by a year: so long no freed counter would be used again. */
    @Test
    void freedCountersAreUsedAgainByTheMonotonicClock()
    {
        try (DriverFile driver = driver();
            ControlFile control = ControlFile.create(directory, driver.info(), 16, 4096))
        {
            final AtomicCounter counter = control.countersManager().newCounter("a", 1);
            final long before = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
            counter.close();
            assertThat(control.countersReader().getFreeForReuseDeadline(counter.id()))
                .isBetween(before + 1000, TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) + 1000);
        }
    }

    @Test
    void aClosedControlFileIsZeroesAndNeverAFault()
    {
        final ControlFile control;
        try (DriverFile driver = driver())
        {
            control = ControlFile.create(directory, driver.info(), 16, 4096);
        }
        final AtomicCounter counter = control.countersManager().newCounter("a", 1);
        counter.setRelease(5);
        control.close();
        counter.setRelease(6);
        try (ControlFile reader = ControlFile.open(directory, false))
        {
            assertThat(reader.countersReader().getCounterValue(counter.id())).isEqualTo(5);
        }
    }

    @Test
    void clientAndDriverMeetInTheClientsFile()
    {
        directory.prepare(false);
        final ClientFile driver;
        try (ClientFile client = ClientFile.create(directory, "n\u00e4me".repeat(100)))
        {
            final String name = directory.client(client.clientId()).getFileName().toString();
            assertThat(GannetDirectory.clientId(name)).isEqualTo(client.clientId());
            driver = ClientFile.attach(directory, client.clientId());
            assertThat(driver.isAlive()).isTrue();
            assertThat(driver.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(driver.name()).startsWith("n\u00e4me").doesNotContain("\ufffd").hasSizeGreaterThan(140);
            assertThat(driver.connectedEpoch()).isZero();
            client.clearRings();
            client.commandWriter().closeClient(3);
            client.connectTo(42);
            assertThat(driver.connectedEpoch()).isEqualTo(42);
            assertThat(driver.commands().read((type, buffer, index, length) -> {}, 10)).isEqualTo(1);
            driver.eventWriter().operationSucceeded(3);
            assertThat(client.events().read((type, buffer, index, length) -> {}, 10)).isEqualTo(1);
        }
        assertThat(driver.isAlive()).isFalse();
        driver.delete();
        driver.close();
        assertThat(directory.clients()).isEmptyDirectory();
    }

    @Test
    void fileNamesThatAreNoClientsAreKnownAsSuch()
    {
        assertThat(GannetDirectory.clientId(".0000000000000005")).isZero();
        assertThat(GannetDirectory.clientId("5")).isZero();
        assertThat(GannetDirectory.clientId("zzzzzzzzzzzzzzzz")).isZero();
        assertThat(GannetDirectory.clientId("ffffffffffffffff")).isZero();
        assertThat(GannetDirectory.clientId("-000000000000005")).isZero();
        assertThat(GannetDirectory.clientId("0000000000000005")).isEqualTo(5);
    }

    @Test
    void modesFollowTheDirectory() throws IOException
    {
        try (DriverFile driver = driver(); ClientFile client = ClientFile.create(directory, "x"))
        {
            assertThat(driver.isAlive()).isTrue();
            assertThat(mode(directory.path())).isEqualTo("rwx------");
            assertThat(mode(directory.driver())).isEqualTo("rw-------");
            assertThat(mode(directory.client(client.clientId()))).isEqualTo("rw-------");
        }
        final GannetDirectory group = new GannetDirectory(root.resolve("group"));
        group.prepare(true);
        try (DriverFile driver = DriverFile.acquire(group, "1"); ClientFile client = ClientFile.create(group, "x"))
        {
            assertThat(driver.isAlive()).isTrue();
            assertThat(mode(group.path())).isEqualTo("rwxrwx---");
            assertThat(mode(group.driver())).isEqualTo("rw-rw----");
            assertThat(mode(group.client(client.clientId()))).isEqualTo("rw-rw----");
        }
    }

    @Test
    void aDirectoryThatWasThereIsUsedAsItIs() throws IOException
    {
        Files.createDirectory(directory.path());
        Files.setPosixFilePermissions(directory.path(), PosixFilePermissions.fromString("rwxr-x---"));
        Files.createFile(directory.path().resolve("not-ours"));
        new GannetDirectory(Path.of(directory.path() + "/")).prepare(false);
        assertThat(mode(directory.path())).isEqualTo("rwxr-x---");
        assertThat(directory.path().resolve("not-ours")).exists();
        assertThat(mode(directory.clients())).isEqualTo("rwxrwx---");
    }

    @Test
    void aDirectoryThatWasThereIsSharedOnlyIfItsModeSaysSo() throws IOException
    {
        final Map<String, String> modes = Map.of("rwx------", "rwx------", "rwxr-xr-x", "rwx------",
            "rwxr-x---", "rwxrwx---", "rwxrwx---", "rwxrwx---", "rwxrwxrwx", "rwxrwx---", "rwx--x--x", "rwx------");
        for (final Map.Entry<String, String> each : modes.entrySet())
        {
            final GannetDirectory there = new GannetDirectory(root.resolve(each.getKey()));
            Files.createDirectory(there.path());
            Files.setPosixFilePermissions(there.path(), PosixFilePermissions.fromString(each.getKey()));
            there.prepare(false);
            assertThat(mode(there.clients())).as(each.getKey()).isEqualTo(each.getValue());
        }
    }

    @Test
    void aFileOrADiskInPlaceOfTheDirectoryIsRefused() throws IOException
    {
        Files.createFile(directory.path());
        assertReason(Reason.CORRUPT, () -> directory.prepare(false), "is not a directory");
        assertReason(Reason.MISSING, () -> new GannetDirectory(root.resolve("no/such")).prepare(false), "no directory");
        assertReason(Reason.STORAGE, () -> new GannetDirectory(Path.of("/proc")).prepare(false), "disk file system");
    }

    @Test
    void aBellWakesItsSleeper() throws InterruptedException
    {
        directory.prepare(false);
        try (ClientFile client = ClientFile.create(directory, "x");
            ClientFile other = ClientFile.attach(directory, client.clientId());
            SharedFile unused = SharedFile.anonymous("unused"))
        {
            assertThat(unused.length()).isZero();
            for (int i = 0; i < 50; i++)
            {
                client.bell().arm();
                final Thread ringer = new Thread(() -> other.bell().ring());
                ringer.start();
                final long start = System.nanoTime();
                client.bell().sleep(60_000_000_000L);
                assertThat(System.nanoTime() - start).isLessThan(50_000_000_000L);
                ringer.join();
            }
        }
    }
}
